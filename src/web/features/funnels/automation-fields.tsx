import { type Funnel, NEW_INTERVIEWS } from '#contracts/funnels.ts';
import { Checkbox } from '#web/ui/forms/checkbox.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import type { FieldErrors, FunnelDraft } from './funnel-fields.ts';
import { WebhookFields } from './webhook-fields.tsx';

interface FieldProps {
  draft: FunnelDraft;
  errors: FieldErrors;
  onField: (name: keyof FunnelDraft, value: string) => void;
}

interface Props extends FieldProps {
  /** The stored funnel; null for a new one. */
  funnel: Funnel | null;
}

const CHOICES: Record<(typeof NEW_INTERVIEWS)[number], string> = {
  nothing: 'Nothing',
  transcribe: 'Transcribe',
  summarize: 'Transcribe and summarize',
};
const OPTIONS = NEW_INTERVIEWS.map((value) => ({ value, label: CHOICES[value] }));

/** The settings of the funnel's automation. */
export function AutomationFields({ funnel, draft, errors, onField }: Props) {
  const processes = draft.processAutomatically === 'true';
  return (
    <fieldset className="flex flex-col gap-4 border-t border-line pt-4">
      <legend className="sr-only">Automation</legend>
      <p aria-hidden className="font-medium">
        Automation
      </p>
      {draft.source !== 'upload' && (
        <NumberField
          label="Refresh every (minutes)"
          name="refreshMinutes"
          hint="At least 15. Empty: only when you refresh it."
          {...{ draft, errors, onField }}
        />
      )}
      <Checkbox
        label={
          <span>
            Process new interviews automatically
            <span className="block text-sm text-muted">Converts and summarizes them.</span>
          </span>
        }
        name="processAutomatically"
        className="items-start [&>:first-child]:h-lh"
        checked={processes}
        onChange={({ target }) => onField('processAutomatically', target.checked ? 'true' : '')}
      />
      <Field
        label="New interviews"
        hint={processes ? 'They are converted and summarized: see above.' : 'What happens to new interviews.'}
      >
        {(control) => (
          <Select
            label="New interviews"
            name="newInterviews"
            value={draft.newInterviews as (typeof NEW_INTERVIEWS)[number]}
            options={OPTIONS}
            disabled={processes}
            onChange={(value) => onField('newInterviews', value)}
            {...control}
          />
        )}
      </Field>
      <NumberField
        label="Daily limit"
        name="dailyLimit"
        hint="New interviews processed per day. The others wait for the next day. Empty: no limit."
        {...{ draft, errors, onField }}
      />
      {draft.source !== 'upload' && <WebhookFields funnel={funnel} source={draft.source} />}
    </fieldset>
  );
}

interface NumberFieldProps extends FieldProps {
  label: string;
  name: 'refreshMinutes' | 'dailyLimit';
  hint: string;
}

const NumberField = ({ label, name, hint, draft, errors, onField }: NumberFieldProps) => (
  <Field label={label} hint={hint} error={errors[name]}>
    {(control) => (
      <Input
        name={name}
        inputMode="numeric"
        value={draft[name]}
        onChange={({ target }) => onField(name, target.value)}
        {...control}
      />
    )}
  </Field>
);
