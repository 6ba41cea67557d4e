import { useQuery } from '@tanstack/react-query';
import type { SummaryStructure } from '#contracts/summaries.ts';
import type { TextKind } from '#web/features/interviews/dialogs/text-kinds.ts';
import { getSummary, getTranscript } from '#web/lib/api.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import type { TextVersion } from '#web/lib/use-draft.ts';

export interface LoadedText extends TextVersion {
  /** What a summary says, in its parts; null for a transcript, and for a summary that somebody has written. */
  structure: SummaryStructure | null;
}

/** A transcript or a summary. A step may have finished since it was read last: it is asked for whenever a dialog opens, but never under an open editor. */
export function useText(kind: TextKind, id: string, editing: boolean) {
  const options = { staleTime: 0, refetchOnWindowFocus: !editing } as const;
  const input = { params: { id } };
  const transcript = useQuery({
    ...endpointQuery(getTranscript, input),
    ...options,
    enabled: kind === 'transcript',
    select: (answer): LoadedText => ({
      text: answer?.transcriptionText ?? '',
      version: answer?.version ?? '',
      structure: null,
    }),
  });
  const summary = useQuery({
    ...endpointQuery(getSummary, input),
    ...options,
    enabled: kind === 'summary',
    select: (answer): LoadedText => ({
      text: answer?.summaryText ?? '',
      version: answer?.version ?? '',
      structure: answer?.structure ?? null,
    }),
  });
  return kind === 'transcript' ? transcript : summary;
}
