import { type Funnel, FunnelForm } from '#contracts/funnels.ts';
import type { FUNNEL_LIMITS } from '#contracts/rules/limits.ts';
import { EXPECTATION_LABELS } from '#contracts/summaries.ts';

export type FieldName = keyof typeof FUNNEL_LIMITS;

/** The unchecked text of the form. The switch is `true` or empty. */
export type FunnelDraft = Record<FieldName | 'processAutomatically', string>;

export interface FieldLook {
  name: FieldName;
  label: string;
  placeholder?: string;
  hint?: string;
  required?: true;
  kind?: 'textarea' | 'secret' | 'url';
  rows?: number;
  /** Shows the number of characters and their limit. */
  counted?: true;
}

/** The tabs and their fields. `FunnelForm` checks limits and rules. */
export const FORM_TABS: readonly { value: string; label: string; fields: readonly FieldLook[] }[] = [
  {
    value: 'basic',
    label: 'Basic Settings',
    fields: [
      { name: 'name', label: 'Funnel Name', placeholder: 'Senior Frontend Engineer', required: true },
      { name: 'clientName', label: 'Client Name', placeholder: 'Acme Corporation' },
      {
        name: 'apiKey',
        label: 'API Key',
        hint: "You'll find it in your interview service. Stored encrypted.",
        required: true,
        kind: 'secret',
      },
      { name: 'funnelId', label: 'Funnel ID', hint: "This job's ID in your interview service.", required: true },
      { name: 'directLink', label: 'Direct Link', placeholder: 'https://', kind: 'url' },
    ],
  },
  {
    value: 'description',
    label: 'Description',
    fields: [
      {
        name: 'description',
        label: 'Description',
        placeholder: 'Describe the role and the team',
        kind: 'textarea',
        rows: 9,
        counted: true,
      },
      {
        name: 'skills',
        label: EXPECTATION_LABELS.skills,
        placeholder: 'TypeScript, React, PostgreSQL',
        hint: 'Separate skills with commas.',
      },
    ],
  },
  {
    value: 'expectations',
    label: 'Expectations',
    fields: [
      {
        name: 'professionalExpectations',
        label: EXPECTATION_LABELS.professionalExpectations,
        kind: 'textarea',
        rows: 3,
      },
      { name: 'skillExpectations', label: EXPECTATION_LABELS.skillExpectations, kind: 'textarea', rows: 3 },
      { name: 'educationExpectations', label: EXPECTATION_LABELS.educationExpectations, kind: 'textarea', rows: 3 },
      { name: 'cultureExpectations', label: EXPECTATION_LABELS.cultureExpectations, kind: 'textarea', rows: 3 },
    ],
  },
];

const ALL_FIELDS = FORM_TABS.flatMap((tab) => tab.fields);

export const draftOf = (funnel: Funnel | null) =>
  ({
    ...Object.fromEntries(ALL_FIELDS.map(({ name }) => [name, funnel?.[name] ?? ''])),
    processAutomatically: funnel?.processAutomatically ? 'true' : '',
  }) as FunnelDraft;

/** The draft as `FunnelForm` expects it. */
export const formOf = (draft: FunnelDraft) => ({
  ...draft,
  processAutomatically: draft.processAutomatically === 'true',
});

export type FieldErrors = Partial<Record<FieldName, string>>;

/** Returns a message for each invalid field, such as `Funnel Name is required`. */
export function errorsOf(draft: FunnelDraft): FieldErrors {
  const result = FunnelForm.safeParse(formOf(draft));
  const errors: FieldErrors = {};
  for (const { path, message } of result.error?.issues ?? []) {
    const field = ALL_FIELDS.find(({ name }) => name === path[0]);
    if (field) errors[field.name] ??= `${field.label} ${message}`;
  }
  return errors;
}

export function firstError(errors: FieldErrors): { tab: string; field: FieldName } | null {
  for (const { value, fields } of FORM_TABS) {
    const field = fields.find(({ name }) => errors[name]);
    if (field) return { tab: value, field: field.name };
  }
  return null;
}
