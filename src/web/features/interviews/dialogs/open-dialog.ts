export const INTERVIEW_DIALOGS = ['questions', 'video', 'transcript', 'summary', 'destination'] as const;
export type InterviewDialog = (typeof INTERVIEW_DIALOGS)[number];

/** Opens a dialog about the interview with this id; the player at `at` seconds. */
export type OpenInterviewDialog = (dialog: InterviewDialog, id: string, at?: number) => void;
