import { Plus, X } from 'lucide-react';
import { SHARE_LIMITS } from '#contracts/rules/limits.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Checkbox } from '#web/ui/forms/checkbox.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, Textarea } from '#web/ui/forms/input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import type { ShareDraft } from './share-draft.ts';

interface Props {
  draft: ShareDraft;
  onChange: (part: Partial<ShareDraft>) => void;
}

const NAMES = [
  { value: 'full', label: 'Full name' },
  { value: 'first', label: 'First name only' },
  { value: 'hidden', label: 'Hidden' },
] as const;

export function ShareFields({ draft, onChange }: Props) {
  return (
    <div className="space-y-4">
      <Recipients draft={draft} onChange={onChange} />
      <Field label="Title" required>
        {(control) => (
          <Input
            {...control}
            maxLength={SHARE_LIMITS.title}
            value={draft.title}
            onChange={(event) => onChange({ title: event.target.value })}
          />
        )}
      </Field>
      <Field label="Message">
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            maxLength={SHARE_LIMITS.message}
            value={draft.message}
            onChange={(event) => onChange({ message: event.target.value })}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field label="Works for (days)" required>
          {(control) => (
            <Input
              {...control}
              type="number"
              min={1}
              max={SHARE_LIMITS.days}
              // Empty while the user types another number.
              value={draft.days || ''}
              onChange={(event) =>
                onChange({ days: Math.min(SHARE_LIMITS.days, Math.max(0, Math.round(Number(event.target.value)))) })
              }
            />
          )}
        </Field>
        <Field label="Passcode (optional)">
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              maxLength={100}
              value={draft.passcode}
              onChange={(event) => onChange({ passcode: event.target.value })}
            />
          )}
        </Field>
      </div>
      <Visible draft={draft} onChange={onChange} />
    </div>
  );
}

function Visible({ draft, onChange }: Props) {
  const { shows } = draft;
  const show = (part: Partial<ShareDraft['shows']>) => onChange({ shows: { ...shows, ...part } });
  return (
    <fieldset className="space-y-2">
      <legend className="mb-2 text-sm font-medium">What recipients see and do</legend>
      <Select
        label="Name of the candidate"
        value={shows.name}
        options={NAMES}
        onChange={(name) => show({ name, ...(name !== 'full' && { contact: false }) })}
      />
      <div className="grid grid-cols-2 gap-2">
        <Checkbox
          label="Contact details"
          checked={shows.contact}
          disabled={shows.name !== 'full'}
          onChange={(event) => show({ contact: event.target.checked })}
        />
        {(['transcript', 'summary', 'questions'] as const).map((part) => (
          <Checkbox
            key={part}
            label={part.charAt(0).toUpperCase() + part.slice(1)}
            checked={shows[part]}
            onChange={(event) => show({ [part]: event.target.checked })}
          />
        ))}
        <Checkbox
          label="May comment"
          checked={draft.mayComment}
          onChange={(event) => onChange({ mayComment: event.target.checked })}
        />
        <Checkbox
          label="May decide"
          checked={draft.mayDecide}
          onChange={(event) => onChange({ mayDecide: event.target.checked })}
        />
      </div>
      <Checkbox
        label="Also send the links by email"
        checked={draft.send}
        onChange={(event) => onChange({ send: event.target.checked })}
      />
    </fieldset>
  );
}

function Recipients({ draft: { recipients }, onChange }: Props) {
  const change = (at: number, part: Partial<ShareDraft['recipients'][number]>) =>
    onChange({ recipients: recipients.map((one, index) => (index === at ? { ...one, ...part } : one)) });
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">Recipients</legend>
      <ul className="space-y-2">
        {recipients.map((recipient, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: unsaved rows have no other identity
          <li key={at} className="flex gap-2">
            <Input
              aria-label={`Name of recipient ${at + 1}`}
              placeholder="Name"
              maxLength={SHARE_LIMITS.name}
              value={recipient.name}
              onChange={(event) => change(at, { name: event.target.value })}
            />
            <Input
              aria-label={`Email of recipient ${at + 1}`}
              placeholder="Email (optional)"
              type="email"
              maxLength={254}
              value={recipient.email}
              onChange={(event) => change(at, { email: event.target.value })}
            />
            {recipients.length > 1 && (
              <Button
                variant="ghost"
                size="icon"
                aria-label={`Remove recipient ${at + 1}`}
                onClick={() => onChange({ recipients: recipients.filter((_, index) => index !== at) })}
              >
                <X aria-hidden />
              </Button>
            )}
          </li>
        ))}
      </ul>
      {recipients.length < SHARE_LIMITS.recipients && (
        <Button
          size="sm"
          variant="ghost"
          className="mt-2"
          onClick={() => onChange({ recipients: [...recipients, { name: '', email: '' }] })}
        >
          <Plus aria-hidden />
          Add recipient
        </Button>
      )}
    </fieldset>
  );
}
