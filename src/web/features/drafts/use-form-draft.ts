import { z } from 'zod';
import { useDraft } from './use-draft.ts';

const Fields = z.record(z.string(), z.string());

/**
 * Keeps the fields of a form in session storage (`useDraft`). Secrets must not be part of it.
 * `suggested` values replace stored ones until the user changes a field; they may arrive later.
 */
export function useFormDraft<F extends Record<string, string>>(key: string, stored: F, suggested: Partial<F> = {}) {
  const text = serialize({ ...stored, ...suggested });
  const { draft, setDraft, ...rest } = useDraft(key, { text, version: serialize(stored) });
  // A draft from an older release may lack a field.
  const form = { ...stored, ...Fields.parse(JSON.parse(draft)) };
  return { form, change: (part: Partial<F>) => setDraft(serialize({ ...form, ...part })), ...rest };
}

/** Sorted by name, so that equal fields result in equal texts. */
const serialize = (form: Record<string, string>) =>
  JSON.stringify(Object.fromEntries(Object.entries(form).toSorted(([a], [b]) => (a < b ? -1 : 1))));
