import { navigate } from 'wouter/use-browser-location';
import { dashboardUrl } from '#web/lib/dashboard-place.ts';
import { openDialog } from '#web/lib/use-dialog.ts';

export const INTERVIEW_DIALOGS = [
  'questions',
  'video',
  'transcript',
  'summary',
  'destination',
  'share',
  'export',
  'ats',
] as const;
export type InterviewDialog = (typeof INTERVIEW_DIALOGS)[number];

/** Opens a dialog about the interview with this id; the player at `at` seconds. */
export type OpenInterviewDialog = (dialog: InterviewDialog, id: string, at?: number) => void;

/** Opens a dialog from any page, above the dashboard in its last state. */
export function openOnDashboard(name: InterviewDialog, id: string, scorecard = false): void {
  if (location.pathname !== '/') navigate(dashboardUrl());
  openDialog({ name, id, scorecard });
}
