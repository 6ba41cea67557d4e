import type { BulkAction } from '#contracts/bulk.ts';
import { hasAllSteps } from '#contracts/rules/badges.ts';
import { STEP_NAMES, type Step } from '#contracts/rules/steps.ts';
import { type StepState, stepsOf } from '#server/db/step-columns.ts';
import type { BulkTarget } from '#server/features/ats-pushes/pushes.service.ts';
import type { StoredInterview } from '#server/features/interviews/interviews.service.ts';
import type { AtsTarget } from '#server/ports/ats.ts';
import type { BulkRunRow } from './bulk-runs.repo.ts';

/** The decision on one interview: an edit, a note to send, steps to start, or nothing. */
export type Decision =
  | { kind: 'edit' }
  | { kind: 'send'; target: AtsTarget }
  | { kind: 'steps'; steps: readonly Step[] }
  | { kind: 'skip'; reason: string };

const skip = (reason: string): Decision => ({ kind: 'skip', reason });
const EDIT: Decision = { kind: 'edit' };

const WANTED: Partial<Record<BulkAction, readonly Step[]>> = {
  convert: ['convert'],
  transcribe: ['transcribe'],
  summarize: ['summarize'],
  process: ['convert', 'summarize'],
};

type StepStates = Record<Step, StepState>;

const decideDestination = (
  run: DecidingRun,
  interview: StoredInterview,
  { transcribe, summarize }: StepStates,
): Decision => {
  if (interview.destination_id === run.destination_id) return skip('Already has this destination.');
  if (interview.destination_id !== null && run.keep_existing) return skip('Kept its destination.');
  const statuses = { transcriptionStatus: transcribe.status, summaryStatus: summarize.status };
  return hasAllSteps({ youtubeId: interview.youtube_id, ...statuses }) || interview.destination_id !== null
    ? EDIT
    : skip('Not ready: convert, transcribe and summarize it first.');
};

function decideSending(target: BulkTarget | undefined): Decision {
  if (!target) return skip('Added in the meantime. Start it again.');
  return 'reason' in target ? skip(target.reason) : { kind: 'send', target };
}

function decideRetry(states: StepStates): Decision {
  const failed = STEP_NAMES.filter((step) => states[step].status === 'failed');
  const steps = failed.filter((step) => !states[step].isPermanent);
  if (steps.length > 0) return { kind: 'steps', steps };
  const [permanent] = failed;
  return skip((permanent && states[permanent].error) ?? 'Nothing to retry.');
}

/** For `undoDestination`, `destination_id` is the one that the undone run set. */
type DecidingRun = Pick<BulkRunRow, 'action' | 'destination_id' | 'keep_existing'>;

/**
 * Decides on one interview. The start of a step may still skip it. Only `sendToAts` has targets.
 */
export function decide(run: DecidingRun, interview: StoredInterview, target: BulkTarget | undefined): Decision {
  const action = run.action as BulkAction;
  const isArchived = interview.archived_at !== null;
  if (action === 'unarchive') return isArchived ? EDIT : skip('Not archived.');
  if (action === 'archive') return isArchived ? skip('Already archived.') : EDIT;
  if (action === 'undoDestination')
    return interview.destination_id === run.destination_id ? EDIT : skip('Changed in the meantime.');
  if (isArchived) return skip('Archived.');
  if (action === 'sendToAts') return decideSending(target);
  if (action === 'setDestination') return decideDestination(run, interview, stepsOf(interview));
  if (action === 'retry') return decideRetry(stepsOf(interview));
  return { kind: 'steps', steps: WANTED[action] ?? [] };
}
