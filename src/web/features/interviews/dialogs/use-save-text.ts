import type { TextKind } from '#web/features/interviews/dialogs/text-kinds.ts';
import { useSaveSummary, useSaveTranscript } from '#web/features/interviews/interview-actions.ts';

/** One way to save, whichever text it is. */
export function useSaveText(kind: TextKind, id: string, onDone: () => void) {
  const transcript = useSaveTranscript({ onDone });
  const summary = useSaveSummary({ onDone });
  const params = { id };
  return {
    isPending: transcript.isPending || summary.isPending,
    /** `basedOn` is the version that the writer knows of: a newer one is not replaced unseen. */
    run: (text: string, basedOn: string) =>
      kind === 'transcript'
        ? transcript.mutate({ params, body: { transcriptionText: text, basedOn } })
        : summary.mutate({ params, body: { summaryText: text, basedOn } }),
  };
}
