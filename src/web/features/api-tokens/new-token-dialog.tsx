import { useState } from 'react';
import type { CreatedApiToken } from '#contracts/api-tokens.ts';
import { MAX_TOKEN_NAME_LENGTH } from '#contracts/rules/limits.ts';
import { SCOPES, type Scope } from '#contracts/rules/roles.ts';
import { useSession } from '#web/features/session/session.ts';
import { formatDate } from '#web/lib/format.ts';
import { useAction } from '#web/lib/use-action.ts';
import { useReload } from '#web/lib/use-reload.ts';
import { Checkbox } from '#web/ui/forms/checkbox.tsx';
import { Field, FieldError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { useFieldErrors } from '#web/ui/forms/use-field-errors.ts';
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx';

interface Props {
  onCreated: (created: CreatedApiToken) => void;
  onClose: () => void;
}

const DESCRIPTIONS: Record<Scope, string> = {
  read: 'List, watch, search and download interviews.',
  write: 'Edit, archive and link interviews, edit funnels, and upload recordings.',
  process: 'Refresh, convert, transcribe and summarize, including in bulk.',
  logs: 'Read the System Logs.',
};

const LIFETIMES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
] as const;
const DAY_MS = 86_400_000;
/** The server accepts at most a year, and its clock may be slower than the browser's. */
const CLOCK_TOLERANCE_MS = 3_600_000;
const expiryIn = (days: string) => new Date(Date.now() + Number(days) * DAY_MS - CLOCK_TOLERANCE_MS).toISOString();

export function NewTokenDialog({ onCreated, onClose }: Props) {
  const { form, errors, showErrors, showRejection } = useFieldErrors<'name' | 'scopes' | 'expiresAt'>();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['read']);
  const [days, setDays] = useState<(typeof LIFETIMES)[number]['value']>('90');
  const reload = useReload('/api/tokens', '/api/accounts/:id/tokens');
  const create = useAction('POST /api/tokens', {
    onSuccess: (created) => {
      reload();
      onCreated(created);
    },
    onError: showRejection(['name', 'scopes', 'expiresAt'], "Couldn't create the token"),
  });

  function submit() {
    if (name.trim() === '') showErrors({ name: 'Name is required' });
    else if (scopes.length === 0) showErrors({ scopes: 'Choose at least one scope' });
    else create.mutate({ body: { name, scopes: [...scopes], expiresAt: expiryIn(days) } });
  }

  return (
    <FormDialog
      ref={form}
      guardsBack
      title="New API token"
      description="It can do everything you can, within the scopes you choose."
      action="Create token"
      pending={create.isPending}
      onSubmit={submit}
      onClose={onClose}
      autoComplete="off"
      className="flex flex-col gap-5"
    >
      <Field label="Name" error={errors.name} hint="Its purpose, such as Nightly export" required>
        {(control) => (
          <Input
            {...control}
            name="name"
            value={name}
            maxLength={MAX_TOKEN_NAME_LENGTH}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <ScopeChoice chosen={scopes} error={errors.scopes} onChange={setScopes} />
      <Field label="Lifetime" error={errors.expiresAt} hint={`Expires ${formatDate(expiryIn(days))}`}>
        {(control) => (
          <Select {...control} label="Lifetime" name="expiresAt" value={days} options={LIFETIMES} onChange={setDays} />
        )}
      </Field>
    </FormDialog>
  );
}

interface ScopeChoiceProps {
  chosen: readonly Scope[];
  error: string | undefined;
  onChange: (scopes: readonly Scope[]) => void;
}

/** Reviewers can only use the scope `read`. */
function ScopeChoice({ chosen, error, onChange }: ScopeChoiceProps) {
  const { user } = useSession({ ask: false });
  const offered = user?.role === 'reviewer' ? (['read'] as const) : SCOPES;
  const toggle = (scope: Scope) =>
    onChange(SCOPES.filter((one) => (one === scope ? !chosen.includes(scope) : chosen.includes(one))));
  return (
    <fieldset className="flex flex-col items-start gap-2.5">
      <legend className="mb-2 text-sm font-medium">Scopes</legend>
      {offered.map((scope) => (
        <Checkbox
          key={scope}
          name="scopes"
          className="items-start [&>span:first-child]:mt-0.5"
          checked={chosen.includes(scope)}
          onChange={() => toggle(scope)}
          label={
            <span>
              <span className="font-medium">{scope}</span>
              <span className="block text-sm text-muted">{DESCRIPTIONS[scope]}</span>
            </span>
          }
        />
      ))}
      {error && <FieldError id="api-token-scopes-error">{error}</FieldError>}
    </fieldset>
  );
}
