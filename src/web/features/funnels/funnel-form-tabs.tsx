import { Fragment } from 'react';
import type { Funnel } from '#contracts/funnels.ts';
import { FUNNEL_LIMITS } from '#contracts/rules/limits.ts';
import { FUNNEL_SOURCES, type FunnelSource, SOURCES } from '#contracts/sources.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, Textarea } from '#web/ui/forms/input.tsx';
import { SecretInput } from '#web/ui/forms/secret-input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { Tab, TabList, TabPanel, TabPanels, Tabs } from '#web/ui/layout/tabs.tsx';
import { AutomationFields } from './automation-fields.tsx';
import { FunnelConnection } from './funnel-connection.tsx';
import { type FieldErrors, type FieldLook, FORM_TABS, type FunnelDraft, hasError, hintOf } from './funnel-fields.ts';
import { ScorecardFields } from './scorecard-fields.tsx';
import type { ScorecardForm } from './scorecard-form.ts';

interface Props {
  tab: string;
  onTab: (tab: string) => void;
  /** The stored funnel; null for a new one. */
  funnel: Funnel | null;
  draft: FunnelDraft;
  source: FunnelSource;
  /** The sources that can be chosen. */
  sources: readonly FunnelSource[];
  errors: FieldErrors;
  scorecard: ScorecardForm;
  onChange: (part: Partial<FunnelDraft>) => void;
  /** Runs before the API key is shown. */
  onReveal: (() => Promise<boolean>) | undefined;
}

export function FunnelFormTabs(props: Props) {
  const { funnel, tab, onTab, draft, source, sources, errors, scorecard, onChange, onReveal } = props;
  const hasScorecardError = Object.keys(scorecard.errors).length > 0;
  return (
    <Tabs value={tab} onValueChange={onTab}>
      <TabList label="Funnel" className="max-[24rem]:auto-cols-auto">
        {FORM_TABS.map(({ value, label }) => (
          <Tab key={value} value={value} className="max-[24rem]:px-0.5 max-[24rem]:tracking-tight">
            {label}
            {(hasError(value, errors) || (value === 'expectations' && hasScorecardError)) && (
              <span
                role="img"
                aria-label="has errors"
                className="keep-color absolute top-1 right-1 size-1.5 rounded-full bg-danger"
              />
            )}
          </Tab>
        ))}
      </TabList>
      <TabPanels>
        {FORM_TABS.map(({ value, fields }) => (
          <TabPanel key={value} value={value} keepMounted className="mt-4 flex flex-col gap-4">
            {value === 'basic' && sources.length > 1 && (
              <SourceField value={source} sources={sources} onChange={(chosen) => onChange({ source: chosen })} />
            )}
            {fields
              .map((look) => ({ look, hint: hintOf(look, source) }))
              .filter(({ hint }) => hint !== null)
              .map(({ look, hint }) => (
                <Fragment key={look.name}>
                  <FunnelField
                    look={look}
                    hint={hint ?? undefined}
                    value={draft[look.name]}
                    error={errors[look.name]}
                    onChange={(text) => onChange({ [look.name]: text })}
                    onReveal={onReveal}
                  />
                  {/* Above the id of the funnel, which a chosen position fills in. */}
                  {look.name === 'apiKey' && (
                    <FunnelConnection
                      source={source}
                      apiKey={draft.apiKey.trim()}
                      funnelId={draft.funnelId.trim()}
                      onPosition={({ id, name }) =>
                        onChange({ funnelId: id, ...(draft.name.trim() === '' && { name }) })
                      }
                    />
                  )}
                </Fragment>
              ))}
            {value === 'basic' && (
              <AutomationFields
                funnel={funnel}
                draft={draft}
                errors={errors}
                onField={(name, text) => onChange({ [name]: text })}
              />
            )}
            {value === 'expectations' && <ScorecardFields form={scorecard} />}
          </TabPanel>
        ))}
      </TabPanels>
    </Tabs>
  );
}

interface SourceProps {
  value: FunnelSource;
  sources: readonly FunnelSource[];
  onChange: (source: FunnelSource) => void;
}

/** Sources that an administrator has not connected are listed, so that users know of them. */
const optionOf = (source: FunnelSource, isOffered: boolean) => ({
  value: source,
  label: isOffered ? SOURCES[source].name : `${SOURCES[source].name} – ask an admin`,
  disabled: !isOffered,
});

const SourceField = ({ value, sources, onChange }: SourceProps) => (
  <div className="flex flex-col gap-1.5">
    <span aria-hidden className="text-sm font-medium text-ink">
      Source
    </span>
    <Select
      label="Source"
      name="source"
      value={value}
      options={FUNNEL_SOURCES.map((source) => optionOf(source, sources.includes(source)))}
      onChange={onChange}
    />
  </div>
);

interface FieldProps {
  look: FieldLook;
  hint: string | undefined;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
  onReveal: Props['onReveal'];
}

function FunnelField({ look, hint, value, error, onChange, onReveal }: FieldProps) {
  const props = {
    name: look.name,
    value,
    placeholder: look.placeholder,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return (
    <Field
      label={look.label}
      required={look.required ?? false}
      hint={hint}
      error={error}
      {...(look.counted && { counter: { length: value.length, max: FUNNEL_LIMITS[look.name] } })}
    >
      {(control) => {
        if (look.kind === 'textarea') return <Textarea rows={look.rows} {...props} {...control} />;
        if (look.kind === 'secret') return <SecretInput onReveal={onReveal} {...props} {...control} />;
        return <Input type={look.kind === 'url' ? 'url' : 'text'} {...props} {...control} />;
      }}
    </Field>
  );
}
