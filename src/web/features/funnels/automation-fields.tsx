import { useState } from 'react';
import type { Funnel } from '#contracts/funnels.ts';
import { DEFAULT_SOURCE, SOURCES } from '#contracts/sources.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { ARRIVALS, type AutomationName, type FieldErrors, type FunnelDraft } from './funnel-fields.ts';
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

/** The processing of new interviews, with automatic refreshes and webhooks folded below. */
export function AutomationFields({ funnel, draft, errors, onField }: Props) {
  const { isRefreshed, hasEvents } = SOURCES[draft.source || DEFAULT_SOURCE];
  const [isUnfolded, setIsUnfolded] = useState(draft.refreshMinutes !== '' || draft.dailyLimit !== '');
  // An error inside must be visible before its field receives the focus.
  const isInvalid = errors.refreshMinutes !== undefined || errors.dailyLimit !== undefined;
  return (
    <>
      <Field label="When an interview arrives">
        {(control) => (
          <Select
            label="When an interview arrives"
            name="arrival"
            value={draft.arrival}
            options={ARRIVALS}
            onChange={(value) => onField('arrival', value)}
            {...control}
          />
        )}
      </Field>
      <details
        open={isUnfolded || isInvalid}
        onToggle={(event) => setIsUnfolded(event.currentTarget.open)}
        className="border-t border-line pt-4"
      >
        <summary className="touch-beyond relative w-fit cursor-pointer rounded-sm font-medium">Automation</summary>
        <fieldset className="mt-4 flex min-w-0 flex-col gap-4">
          <legend className="sr-only">Automation</legend>
          {isRefreshed && (
            <NumberField
              label="Refresh every (minutes)"
              name="refreshMinutes"
              hint="15 or more. Leave empty to refresh by hand."
              {...{ draft, errors, onField }}
            />
          )}
          <NumberField
            label="Daily limit"
            name="dailyLimit"
            hint="The rest wait until tomorrow. Leave empty for no limit."
            {...{ draft, errors, onField }}
          />
          {hasEvents && <WebhookFields funnel={funnel} source={draft.source} />}
        </fieldset>
      </details>
    </>
  );
}

interface NumberFieldProps extends FieldProps {
  label: string;
  name: AutomationName;
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
