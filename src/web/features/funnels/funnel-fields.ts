import { type Funnel, FunnelForm } from '#contracts/funnels.ts';
import type { FUNNEL_LIMITS } from '#contracts/rules/limits.ts';
import { DEFAULT_SOURCE, type FunnelSource, SOURCES, type SourceField, UNUSED_FIELD } from '#contracts/sources.ts';
import { EXPECTATION_LABELS } from '#contracts/summaries.ts';

export type FieldName = keyof typeof FUNNEL_LIMITS;

/** Fields below the specified ones, with their labels. */
const AUTOMATION_LABELS = { refreshMinutes: 'Refresh every', dailyLimit: 'Daily limit' } as const;
export type AutomationName = keyof typeof AUTOMATION_LABELS;
const AUTOMATION_NAMES = Object.keys(AUTOMATION_LABELS) as AutomationName[];

/**
 * The processing of interviews that a refresh or an upload adds. Each choice includes those above.
 */
export const ARRIVALS = [
  { value: 'nothing', label: 'Do nothing' },
  { value: 'transcribe', label: 'Transcribe' },
  { value: 'summarize', label: 'Transcribe and summarize' },
  { value: 'publish', label: 'Also publish to YouTube' },
] as const;
export type Arrival = (typeof ARRIVALS)[number]['value'];

/** The text of the form before validation. A source that was not chosen is empty. */
export type FunnelDraft = Record<FieldName | AutomationName, string> & {
  source: FunnelSource | '';
  arrival: Arrival;
};

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

const EXPECTATIONS = [
  'professionalExpectations',
  'skillExpectations',
  'educationExpectations',
  'cultureExpectations',
] as const;

/** The tabs and their fields. `FunnelForm` checks limits and rules. */
export const FORM_TABS: readonly { value: string; label: string; fields: readonly FieldLook[] }[] = [
  {
    value: 'basic',
    label: 'Basic Settings',
    fields: [
      { name: 'apiKey', label: 'API Key', required: true, kind: 'secret' },
      { name: 'funnelId', label: 'Funnel ID', required: true },
      { name: 'name', label: 'Funnel Name', placeholder: 'Senior Frontend Engineer', required: true },
      { name: 'clientName', label: 'Client Name', placeholder: 'Acme Corporation' },
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
    fields: EXPECTATIONS.map((name) => ({ name, label: EXPECTATION_LABELS[name], kind: 'textarea', rows: 3 })),
  },
];

/** Null if the form hides the field, because the source does not use it. */
export const hintOf = ({ name, hint }: FieldLook, source: FunnelSource): string | null | undefined =>
  name in SOURCES[source].hints ? SOURCES[source].hints[name as SourceField] : hint;

const SOURCE_FIELDS = Object.keys(SOURCES[DEFAULT_SOURCE].hints) as SourceField[];

const ALL_FIELDS = FORM_TABS.flatMap((tab) => tab.fields);

export const draftOf = (funnel: Funnel | null) =>
  ({
    ...Object.fromEntries(ALL_FIELDS.map(({ name }) => [name, funnel?.[name] ?? ''])),
    refreshMinutes: String(funnel?.refreshMinutes ?? ''),
    arrival: funnel?.processAutomatically ? 'publish' : (funnel?.newInterviews ?? 'nothing'),
    dailyLimit: String(funnel?.dailyLimit ?? ''),
    source: funnel?.source ?? '',
  }) as FunnelDraft;

/** The draft as `FunnelForm` expects it. */
export const formOf = ({ arrival, ...draft }: FunnelDraft) => ({
  ...draft,
  // Publishing includes the others, so it keeps the stored choice.
  processAutomatically: arrival === 'publish',
  ...(arrival !== 'publish' && { newInterviews: arrival }),
  refreshMinutes: numberOf(draft.refreshMinutes),
  dailyLimit: numberOf(draft.dailyLimit),
  source: draft.source || undefined,
  ...unusedPart(draft),
});

/** The values of fields that the source does not use, which a stored funnel must have. */
function unusedPart(draft: Omit<FunnelDraft, 'arrival'>) {
  const { hints, isRefreshed } = SOURCES[draft.source || DEFAULT_SOURCE];
  const hidden = SOURCE_FIELDS.filter((name) => hints[name] === null);
  return {
    ...Object.fromEntries(hidden.map((name) => [name, draft[name] || UNUSED_FIELD])),
    ...(!isRefreshed && { refreshMinutes: null }),
  };
}

/** Returns null for an empty field, and NaN for text that is not digits. The form rejects NaN. */
function numberOf(text: string): number | null {
  const digits = text.trim();
  if (digits === '') return null;
  return /^[0-9]+$/.test(digits) ? Number(digits) : Number.NaN;
}

export type FieldErrors = Partial<Record<FieldName | AutomationName, string>>;

/** Returns a message for each invalid field, such as `Funnel Name is required`. */
export function errorsOf(draft: FunnelDraft): FieldErrors {
  const result = FunnelForm.safeParse(formOf(draft));
  const errors: FieldErrors = {};
  for (const { path, message } of result.error?.issues ?? []) {
    const field = ALL_FIELDS.find(({ name }) => name === path[0]);
    if (field) errors[field.name] ??= `${field.label} ${message}`;
    const automation = AUTOMATION_NAMES.find((name) => name === path[0]);
    if (automation) errors[automation] ??= `${AUTOMATION_LABELS[automation]} ${message}`;
  }
  return errors;
}

export function firstError(errors: FieldErrors): { tab: string; field: keyof FieldErrors } | null {
  for (const { value } of FORM_TABS) {
    const field = namesOf(value).find((name) => errors[name]);
    if (field) return { tab: value, field };
  }
  return null;
}

export const hasError = (tab: string, errors: FieldErrors): boolean => namesOf(tab).some((name) => errors[name]);

/** The names of a tab's fields, in their order. */
function namesOf(tab: string): (keyof FieldErrors)[] {
  const names = FORM_TABS.find(({ value }) => value === tab)?.fields.map(({ name }) => name) ?? [];
  return tab === 'basic' ? [...names, ...AUTOMATION_NAMES] : names;
}
