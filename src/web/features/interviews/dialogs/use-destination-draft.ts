import { z } from 'zod';
import { parseDestination } from '#contracts/rules/destination.ts';
import { forgetDraft, useDraft } from '#web/features/interviews/dialogs/use-draft.ts';

const Form = z.object({ employerId: z.string(), jobId: z.string(), notes: z.string() });
/** What the fields of the destination hold, as typed. */
export type DestinationForm = z.infer<typeof Form>;

/** The fields of a destination, kept in the tab as a text is. `key` says whose they are. */
export function useDestinationDraft(key: string, destinationId: string | null, notes: string | null) {
  const { employerId = '', jobId = '' } = (destinationId === null ? null : parseDestination(destinationId)) ?? {};
  const stored = written({ employerId, jobId, notes: notes ?? '' });
  const { draft, setDraft, ...rest } = useDraft(nameOf(key), { text: stored, version: stored });
  const form = Form.parse(JSON.parse(draft));
  return {
    form,
    change: (part: Partial<DestinationForm>) => setDraft(written({ ...form, ...part })),
    ...rest,
  };
}

const nameOf = (key: string) => `destination ${key}`;

/** To be called once it is stored. */
export const forgetDestinationDraft = (key: string) => forgetDraft(nameOf(key));

/** Always in the same order, so that equal fields are equal texts. */
const written = ({ employerId, jobId, notes }: DestinationForm) => JSON.stringify({ employerId, jobId, notes });
