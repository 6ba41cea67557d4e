/** What differs between the dialogs of a transcript and of a summary. */
export const TEXT_KINDS = {
  transcript: { title: 'Transcript', empty: 'Transcript text cannot be empty' },
  summary: { title: 'Summary', empty: 'Summary text cannot be empty' },
} as const;

export type TextKind = keyof typeof TEXT_KINDS;
