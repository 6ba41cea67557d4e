import type { BulkAction } from '#contracts/bulk.ts';
import { STEP_NAMES, STEPS, type Step } from '#contracts/rules/steps.ts';
import type { StoredInterview } from '#server/features/interviews/interviews.service.ts';

/** The decision on one interview: an edit, steps to start, or nothing. */
export type Decision = { kind: 'edit' } | { kind: 'steps'; steps: readonly Step[] } | { kind: 'skip'; reason: string };

const skip = (reason: string): Decision => ({ kind: 'skip', reason });
const EDIT: Decision = { kind: 'edit' };

const WANTED: Partial<Record<BulkAction, readonly Step[]>> = {
  convert: ['convert'],
  transcribe: ['transcribe'],
  summarize: ['summarize'],
  process: ['convert', 'summarize'],
};

const statusOf = (step: Step, interview: StoredInterview) => interview[`${STEPS[step].record}_status`];
const failedSteps = (interview: StoredInterview) => STEP_NAMES.filter((step) => statusOf(step, interview) === 'failed');

/** As for one interview: the Destination tab of its card is enabled in this state. */
const isReady = (interview: StoredInterview) =>
  interview.youtube_id !== null &&
  statusOf('transcribe', interview) === 'completed' &&
  statusOf('summarize', interview) === 'completed';

const decideDestination = (interview: StoredInterview, destinationId: string | null): Decision => {
  if (interview.destination_id === destinationId) return skip('Already has this destination.');
  return isReady(interview) || interview.destination_id !== null
    ? EDIT
    : skip('Not ready: convert, transcribe and summarize it first.');
};

function decideRetry(interview: StoredInterview): Decision {
  const steps = failedSteps(interview);
  return steps.length > 0 ? { kind: 'steps', steps } : skip('Nothing to retry.');
}

/** The steps themselves decide whether they may start. */
export function decide(
  { action, destinationId }: { action: BulkAction; destinationId: string | null },
  interview: StoredInterview,
): Decision {
  const isArchived = interview.archived_at !== null;
  if (action === 'unarchive') return isArchived ? EDIT : skip('Not archived.');
  if (action === 'archive') return isArchived ? skip('Already archived.') : EDIT;
  if (isArchived) return skip('Archived.');
  if (action === 'setDestination') return decideDestination(interview, destinationId);
  if (action === 'retry') return decideRetry(interview);
  return { kind: 'steps', steps: WANTED[action] ?? [] };
}
