/** What live messages tell of the steps of an interview. */
export const STEP_MESSAGE_TYPES = [
  'conversion-progress',
  'conversion-completed',
  'conversion-failed',
  'transcription-progress',
  'transcription-completed',
  'transcription-failed',
  'summary-progress',
  'summary-completed',
  'summary-failed',
] as const;

export type StepMessageType = (typeof STEP_MESSAGE_TYPES)[number];
