import { z } from 'zod';
import { useDraft } from '#web/lib/use-draft.ts';

const Kept = z.record(z.string(), z.string());

/** The fields of a form, kept in the tab as a text is (`useDraft`). What is secret does not belong in it. */
export function useFormDraft<F extends Record<string, string>>(key: string, stored: F) {
  const text = written(stored);
  const { draft, setDraft, ...rest } = useDraft(key, { text, version: text });
  // A release may have brought a field that was not there when the draft was kept.
  const form = { ...stored, ...Kept.parse(JSON.parse(draft)) };
  return { form, change: (part: Partial<F>) => setDraft(written({ ...form, ...part })), ...rest };
}

/** Always in the same order, so that equal fields are equal texts. */
const written = (form: Record<string, string>) =>
  JSON.stringify(Object.fromEntries(Object.entries(form).toSorted(([a], [b]) => (a < b ? -1 : 1))));
