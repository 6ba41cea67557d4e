import type { Interview } from '#contracts/interviews.ts';

/** What differs between the viewers of a transcript and of a summary. */
export const TEXT_KINDS = {
  transcript: {
    title: 'Transcript',
    textOf: (interview: Interview) => interview.transcriptionText ?? '',
    empty: 'Transcript text cannot be empty',
  },
  summary: {
    title: 'Summary',
    textOf: (interview: Interview) => interview.summaryText ?? '',
    empty: 'Summary text cannot be empty',
  },
} as const;

export type TextKind = keyof typeof TEXT_KINDS;
