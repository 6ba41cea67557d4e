import { type Funnel, FunnelForm } from '#contracts/funnels.ts';
import type { FUNNEL_LIMITS } from '#contracts/rules/limits.ts';
import { EXPECTATION_LABELS } from '#contracts/summaries.ts';

export type FieldName = keyof typeof FUNNEL_LIMITS;

/** What the form holds: plain text, not yet checked. */
export type FunnelDraft = Record<FieldName, string>;

export interface FieldLook {
  name: FieldName;
  label: string;
  placeholder?: string;
  hint?: string;
  required?: true;
  kind?: 'textarea' | 'secret' | 'url';
  rows?: number;
  /** Shows `n/most` while typing. */
  counted?: true;
}

/** The three tabs and what stands on each. The limits and rules are those of `FunnelForm`. */
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
        hint: 'From the interview service. It is stored encrypted.',
        required: true,
        kind: 'secret',
      },
      { name: 'funnelId', label: 'Funnel ID', hint: 'The id of this funnel in the interview service.', required: true },
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
        placeholder: 'What the position is about',
        kind: 'textarea',
        rows: 9,
        counted: true,
      },
      {
        name: 'skills',
        label: EXPECTATION_LABELS.skills,
        placeholder: 'TypeScript, React, PostgreSQL',
        hint: 'Separated by commas.',
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

/** What the form starts with: the funnel's own values, or nothing. */
export const draftOf = (funnel: Funnel | null) =>
  Object.fromEntries(ALL_FIELDS.map(({ name }) => [name, funnel?.[name] ?? ''])) as FunnelDraft;

export type FieldErrors = Partial<Record<FieldName, string>>;

/** A sentence per field that the schema refuses: `Funnel Name is required`. */
export function errorsOf(draft: FunnelDraft): FieldErrors {
  const checked = FunnelForm.safeParse(draft);
  const errors: FieldErrors = {};
  for (const { path, message } of checked.error?.issues ?? []) {
    const field = ALL_FIELDS.find(({ name }) => name === path[0]);
    if (field) errors[field.name] ??= `${field.label} ${message}`;
  }
  return errors;
}

/** The first field with an error, and its tab. */
export function firstError(errors: FieldErrors): { tab: string; field: FieldName } | null {
  for (const { value, fields } of FORM_TABS) {
    const field = fields.find(({ name }) => errors[name]);
    if (field) return { tab: value, field: field.name };
  }
  return null;
}
