import { useQuery } from '@tanstack/react-query';
import type { SummaryStructure } from '#contracts/summaries.ts';
import type { VersionedText } from '#web/features/drafts/use-draft.ts';
import { useSaveSummary, useSaveTranscript } from '#web/features/interviews/save-actions.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';

export interface LoadedText extends VersionedText {
  /** The sections of a generated summary. Null for transcripts and summaries written as a text. */
  structure: SummaryStructure | null;
}

/**
 * A transcript or a summary. It is read whenever a dialog opens, because a step may have finished,
 * but never while editing.
 */
export function useText(kind: TextKind, id: string, editing: boolean) {
  const options = { staleTime: 0, refetchOnWindowFocus: !editing } as const;
  const input = { params: { id } };
  const transcript = useQuery({
    ...endpointQuery('/api/interviews/:id/transcript', input),
    ...options,
    enabled: kind === 'transcript',
    select: (response): LoadedText => ({
      text: response?.transcriptionText ?? '',
      version: response?.version ?? '',
      structure: null,
    }),
  });
  const summary = useQuery({
    ...endpointQuery('/api/interviews/:id/summary', input),
    ...options,
    enabled: kind === 'summary',
    select: (response): LoadedText => ({
      text: response?.summaryText ?? '',
      version: response?.version ?? '',
      structure: response?.structure ?? null,
    }),
  });
  return kind === 'transcript' ? transcript : summary;
}

/** The texts that differ between transcripts and summaries. */
export const TEXT_KINDS = {
  transcript: {
    title: 'Transcript',
    empty: 'Transcript text cannot be empty',
    step: 'transcribe',
    replaced: 'The new transcript replaces this one, including all edits. The summary stays as it is.',
  },
  summary: {
    title: 'Summary',
    empty: 'Summary text cannot be empty',
    step: 'summarize',
    replaced: 'The new summary replaces this one, including all edits.',
  },
} as const;

export type TextKind = keyof typeof TEXT_KINDS;

/** Saves a transcript or a summary. */
export function useSaveText(kind: TextKind, id: string, onDone: () => void) {
  const transcript = useSaveTranscript({ onDone });
  const summary = useSaveSummary({ onDone });
  const params = { id };
  return {
    isPending: transcript.isPending || summary.isPending,
    /**
     * `basedOn` is the version that was edited: the server rejects the save when there is a newer
     * one.
     */
    save: (text: string, basedOn: string) =>
      kind === 'transcript'
        ? transcript.mutate({ params, body: { transcriptionText: text, basedOn } })
        : summary.mutate({ params, body: { summaryText: text, basedOn } }),
  };
}
