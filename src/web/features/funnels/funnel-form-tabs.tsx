import { FUNNEL_LIMITS } from '#contracts/rules/limits.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, Textarea } from '#web/ui/forms/input.tsx';
import { SecretInput } from '#web/ui/forms/secret-input.tsx';
import { Tab, TabList, TabPanel, TabPanels, Tabs } from '#web/ui/layout/tabs.tsx';
import { AutomationFields } from './automation-fields.tsx';
import { type FieldErrors, type FieldLook, FORM_TABS, type FunnelDraft, hasError } from './funnel-fields.ts';

interface Props {
  tab: string;
  onTab: (tab: string) => void;
  draft: FunnelDraft;
  errors: FieldErrors;
  onField: (name: keyof FunnelDraft, value: string) => void;
  /** Runs before the API key is shown. */
  onReveal: (() => Promise<boolean>) | undefined;
}

export function FunnelFormTabs({ tab, onTab, draft, errors, onField, onReveal }: Props) {
  return (
    <Tabs value={tab} onValueChange={onTab}>
      <TabList label="Funnel">
        {FORM_TABS.map(({ value, label }) => (
          <Tab key={value} value={value}>
            {label}
            {hasError(value, errors) && (
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
            {fields.map((look) => (
              <FunnelField
                key={look.name}
                look={look}
                value={draft[look.name]}
                error={errors[look.name]}
                onChange={(text) => onField(look.name, text)}
                onReveal={onReveal}
              />
            ))}
            {value === 'basic' && <AutomationFields draft={draft} errors={errors} onField={onField} />}
          </TabPanel>
        ))}
      </TabPanels>
    </Tabs>
  );
}

interface FieldProps {
  look: FieldLook;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
  onReveal: Props['onReveal'];
}

function FunnelField({ look, value, error, onChange, onReveal }: FieldProps) {
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
      hint={look.hint}
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
