import { BADGE_LABELS, badgesOf, type StepStatus } from '#contracts/rules/badges.ts';
import { recommendationLabel } from '#contracts/rules/recommendations.ts';
import type { ExportedInterview } from '#server/features/interviews/interviews.service.ts';
import type { ReviewsInShort } from '#server/features/reviews/reviews.service.ts';
import type { Cell } from './csv-rows.ts';

export interface ExportedRow {
  interview: ExportedInterview;
  /** Undefined without submitted reviews. */
  reviews: ReviewsInShort | undefined;
  /** The product's URL. */
  origin: string;
}

const STEP_LABELS: Record<StepStatus, string> = {
  'in-progress': 'In progress',
  completed: 'Completed',
  failed: 'Failed',
};
const stepLabel = (status: StepStatus | null) => (status === null ? 'Not started' : STEP_LABELS[status]);

/** Date and time in UTC, in a format that every spreadsheet reads. */
const moment = (iso: string) => iso.slice(0, 19).replace('T', ' ');

/** Formats as h:mm:ss; empty if the duration is unknown. */
function clock(seconds: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return seconds === 0 ? '' : `${Math.floor(seconds / 3_600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
}

const yesOrNo = (value: boolean) => (value ? 'Yes' : 'No');

/** The columns of the CSV file, in order. */
export const COLUMNS: readonly [head: string, cell: (row: ExportedRow) => Cell][] = [
  ['Candidate', ({ interview }) => interview.candidateName],
  ['Email', ({ interview }) => interview.candidateEmail],
  ['Title', ({ interview }) => interview.title],
  ['Job', ({ interview }) => interview.funnelName],
  ['Client', ({ interview }) => interview.clientName],
  ['Recorded (UTC)', ({ interview }) => moment(interview.recordedDate)],
  ['Duration', ({ interview }) => clock(interview.duration)],
  [
    'Status',
    ({ interview }) =>
      badgesOf(interview)
        .map((badge) => BADGE_LABELS[badge])
        .join(', '),
  ],
  ['Video', ({ interview }) => stepLabel(interview.youtubeStatus)],
  ['Transcript', ({ interview }) => stepLabel(interview.transcriptionStatus)],
  ['Summary', ({ interview }) => stepLabel(interview.summaryStatus)],
  ['Destination', ({ interview }) => interview.destinationId],
  ['Destination link', ({ interview }) => interview.destinationUrl],
  ['Watched', ({ interview }) => yesOrNo(interview.watched)],
  ['My decision', ({ interview }) => recommendationLabel(interview.myRecommendation ?? 0)],
  ["Others' reviews", ({ reviews }) => reviews?.others ?? 0],
  ['Average rating', ({ reviews }) => (reviews?.average == null ? null : Math.round(reviews.average * 100) / 100)],
  ['Recommended by', ({ reviews }) => reviews?.recommendedBy.join(', ') ?? null],
  ['Archived', ({ interview }) => yesOrNo(interview.archived)],
  ['Link', ({ interview, origin }) => `${origin}/?${new URLSearchParams({ interview: interview.id })}`],
];
