import type { BulkAction } from '#contracts/bulk.ts';
import { hasAllSteps } from '#contracts/rules/badges.ts';
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

const failedSteps = (interview: StoredInterview) =>
  STEP_NAMES.filter((step) => interview[`${STEPS[step].record}_status`] === 'failed');

const decideDestination = (interview: StoredInterview, { destinationId, keepsExisting }: Request): Decision => {
  if (interview.destination_id === destinationId) return skip('Already has this destination.');
  if (interview.destination_id !== null && keepsExisting) return skip('Kept its destination.');
  const { youtube_id: youtubeId, transcription_status: transcriptionStatus, summary_status: summaryStatus } = interview;
  return hasAllSteps({ youtubeId, transcriptionStatus, summaryStatus }) || interview.destination_id !== null
    ? EDIT
    : skip('Not ready: convert, transcribe and summarize it first.');
};

function decideRetry(interview: StoredInterview): Decision {
  const failed = failedSteps(interview);
  const steps = failed.filter((step) => !interview[`${STEPS[step].record}_permanent`]);
  if (steps.length > 0) return { kind: 'steps', steps };
  const [permanent] = failed;
  return skip((permanent && interview[`${STEPS[permanent].record}_error`]) ?? 'Nothing to retry.');
}

interface Request {
  action: BulkAction;
  /** The new destination; for `undoDestination` the one that the undone run set. */
  destinationId: string | null;
  keepsExisting: boolean;
}

/** Decides on one interview. The start of a step may still skip it. */
export function decide(request: Request, interview: StoredInterview): Decision {
  const { action, destinationId } = request;
  const isArchived = interview.archived_at !== null;
  if (action === 'unarchive') return isArchived ? EDIT : skip('Not archived.');
  if (action === 'archive') return isArchived ? skip('Already archived.') : EDIT;
  if (action === 'undoDestination')
    return interview.destination_id === destinationId ? EDIT : skip('Changed in the meantime.');
  if (isArchived) return skip('Archived.');
  if (action === 'setDestination') return decideDestination(interview, request);
  if (action === 'retry') return decideRetry(interview);
  return { kind: 'steps', steps: WANTED[action] ?? [] };
}
