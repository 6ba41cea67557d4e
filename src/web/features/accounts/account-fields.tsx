import type { Account } from '#contracts/accounts.ts';
import type { Funnel } from '#contracts/funnels.ts';
import { ROLE_LABELS, type Role } from '#contracts/rules/roles.ts';
import { Checkbox } from '#web/ui/forms/checkbox.tsx';
import { Field, FieldError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { MultiPicker } from '#web/ui/forms/multi-picker.tsx';
import { RadioGroup } from '#web/ui/forms/radio-group.tsx';
import { ROLE_OPTIONS } from './account-filters.ts';

/** The text of the form before validation. */
export type AccountDraft = Pick<Account, 'username' | 'role' | 'allFunnels' | 'funnelIds'> & { email: string };
export type FieldErrors = Partial<Record<string, string>>;

const DESCRIPTIONS: Record<Role, string> = {
  administrator: 'Can do everything, including accounts, in all funnels.',
  recruiter: 'Refreshes, processes and edits interviews, and edits their funnels.',
  reviewer: "Watches, reads and searches. Can't change anything.",
};

const ROLE_CHOICES = ROLE_OPTIONS.map((option) => ({ ...option, description: DESCRIPTIONS[option.value] }));

interface Props {
  draft: AccountDraft;
  errors: FieldErrors;
  funnels: readonly Funnel[];
  isNew: boolean;
  /** Users cannot change their own role. */
  isOwn: boolean;
  onChange: (part: Partial<AccountDraft>) => void;
}

export function AccountFields({ draft, errors, funnels, isNew, isOwn, onChange }: Props) {
  return (
    <div className="flex flex-col gap-5">
      {isNew && (
        <Field label="Username" error={errors.username} hint="Used to sign in. It can't be changed later." required>
          {(control) => (
            <Input
              {...control}
              name="username"
              value={draft.username}
              autoCapitalize="none"
              spellCheck={false}
              onChange={({ target }) => onChange({ username: target.value })}
            />
          )}
        </Field>
      )}
      <Field label="Email" error={errors.email}>
        {(control) => (
          <Input
            {...control}
            name="email"
            type="email"
            value={draft.email}
            onChange={({ target }) => onChange({ email: target.value })}
          />
        )}
      </Field>
      {isOwn ? (
        <p className="text-muted">
          Role: {ROLE_LABELS[draft.role]}. To change your own role, ask another administrator.
        </p>
      ) : (
        <div className="flex flex-col gap-1.5">
          <p aria-hidden className="text-sm font-medium">
            Role
          </p>
          <RadioGroup
            label="Role"
            name="role"
            value={draft.role}
            choices={ROLE_CHOICES}
            onChange={(role) => onChange({ role })}
          />
          {errors.role && <FieldError id="account-role-error">{errors.role}</FieldError>}
        </div>
      )}
      {draft.role !== 'administrator' && (
        <Funnels draft={draft} error={errors.funnelIds} funnels={funnels} onChange={onChange} />
      )}
    </div>
  );
}

function Funnels({
  draft: { allFunnels, funnelIds },
  error,
  funnels,
  onChange,
}: Pick<Props, 'draft' | 'funnels' | 'onChange'> & { error: string | undefined }) {
  return (
    <fieldset className="flex flex-col items-start gap-2">
      <legend className="mb-1.5 text-sm font-medium">Funnels</legend>
      <Checkbox
        label="All funnels, including future ones"
        checked={allFunnels}
        onChange={({ target }) => onChange({ allFunnels: target.checked })}
      />
      {!allFunnels && (
        <MultiPicker
          name="Funnels"
          label={labelOf(funnelIds, funnels)}
          searchPlaceholder="Search funnels..."
          options={funnels.map(({ id, name }) => ({ value: id, label: name }))}
          selected={funnelIds}
          onChange={(chosen) => onChange({ funnelIds: chosen.toSorted((a, b) => a - b) })}
          className="w-full"
        />
      )}
      {!allFunnels && funnelIds.length === 0 && !error && (
        <p className="text-sm text-faint">Without a funnel, this person sees no interviews.</p>
      )}
      {error && <FieldError id="account-funnels-error">{error}</FieldError>}
    </fieldset>
  );
}

function labelOf(funnelIds: readonly number[], funnels: readonly Funnel[]): string {
  if (funnelIds.length === 0) return 'Choose funnels';
  const names = funnels.filter(({ id }) => funnelIds.includes(id)).map(({ name }) => name);
  return names.length > 0 && names.length <= 3 ? names.join(', ') : `${funnelIds.length} funnels`;
}
