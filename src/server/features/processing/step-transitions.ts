import { z } from 'zod';
import { STEP_NAMES, type Step } from '#contracts/rules/steps.ts';
import { AppError } from '#server/app-error.ts';
import type { Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { RecordedInterview } from '#server/features/interviews/interviews.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import type { VideoHost } from '#server/ports/video-host.ts';
import { runAs } from '#server/request-context.ts';
import { findTexts } from './interview-texts.repo.ts';
import {
  deleteIdleRuns,
  insertStepRuns,
  type NewRun,
  releaseWaitingSummary,
  type StepEnd,
  type StepOfInterview,
  updateStepEnd,
} from './step-runs.repo.ts';
import { updateStatusesToWithdrawn, updateStepNote } from './step-state.repo.ts';
import { hostName, STEP_TEXTS } from './step-texts.ts';

/** The job that performs a step until it ends or waits. */
export const stepJob = (step: Step) => ({
  name: `processing.${step}`,
  payload: z.object({ interviewId: z.string(), runId: z.uuid() }),
  /** For problems that no service causes: an unavailable database, a killed worker. */
  retries: 5,
});

interface StepTransitionsDeps {
  queue: JobQueue;
  events: Events;
  videoHost: VideoHost | null;
}

/**
 * Changes the status of steps. Every method writes within the given transaction, together with the
 * job and the event that belong to the change.
 */
export class StepTransitions {
  readonly #deps: StepTransitionsDeps;

  constructor(deps: StepTransitionsDeps) {
    this.#deps = deps;
  }

  /**
   * Begins a step; one that waits for a transcript gets its job later.
   * @throws AppError step_running
   */
  async beginStep(tx: Executor, { title, funnelId }: RecordedInterview, run: NewRun): Promise<void> {
    const { interviewId, step } = run;
    const { events, videoHost } = this.#deps;
    if ((await this.beginSteps(tx, [run])) === 0) throw new AppError('step_running', STEP_TEXTS[step].running);
    const interview = { interviewId, title, funnelId };
    await events.record(tx, 'step.started', { ...interview, step, videoHost: hostName(videoHost) });
  }

  /** Begins steps that are not in progress, and returns how many. The caller records them. */
  async beginSteps(tx: Executor, runs: readonly NewRun[]): Promise<number> {
    let count = 0;
    for (const step of STEP_NAMES) {
      const ofStep = runs.filter((run) => run.step === step);
      const begun = await insertStepRuns(tx, step, ofStep);
      const jobs = begun.filter(({ waits }) => !waits).map(({ interviewId, runId }) => ({ interviewId, runId }));
      await this.#deps.queue.enqueueAll(tx, stepJob(step), jobs);
      count += begun.length;
    }
    return count;
  }

  /** See `Processing.withdrawAll`. The jobs of these steps end without effect. */
  async withdrawSteps(
    tx: Executor,
    steps: readonly StepOfInterview[],
    error: string | null,
  ): Promise<StepOfInterview[]> {
    const withdrawn: StepOfInterview[] = [];
    // A summary before the transcript that only this summary waits for.
    for (const step of STEP_NAMES.toReversed()) {
      const wanted = steps.filter((one) => one.step === step).map(({ interviewId }) => interviewId);
      const ids = await deleteIdleRuns(tx, wanted, step);
      if (ids.length > 0) await updateStatusesToWithdrawn(tx, ids, { step, error });
      withdrawn.push(...ids.map((interviewId) => ({ interviewId, step })));
    }
    return withdrawn;
  }

  /**
   * Ends a step. A step that fails to replace a text stays completed, with the reason as its note.
   * A summary that waits for this transcript starts, or fails with it.
   */
  async endStep(tx: Executor, { interviewId, step }: StepOfInterview, end: StepEnd): Promise<void> {
    const isTextKept = end.error !== null && (await hasText(tx, { interviewId, step }));
    const shown = isTextKept ? { error: null, note: `Couldn't regenerate: ${end.error}` } : end;
    const interview = { interviewId, ...(await updateStepEnd(tx, { interviewId, step }, shown)) };
    const videoHost = hostName(this.#deps.videoHost);
    const { error: failure, note } = end;
    await this.#deps.events.record(tx, 'step.ended', { ...interview, step, videoHost, error: failure, note });
    if (step !== 'transcribe') return;
    if (shown.error === null) return this.startWaitingSummary(tx, interviewId);
    const waiting = await releaseWaitingSummary(tx, interviewId);
    if (!waiting) return;
    const error = `Couldn't transcribe: ${shown.error}`;
    const summaryEnd = { ...end, error, note: null };
    await runAs(waiting.startedBy, () => this.endStep(tx, { interviewId, step: 'summarize' }, summaryEnd));
  }

  /** Starts the summary that waits for this interview's transcript, if there is one. */
  async startWaitingSummary(tx: Executor, interviewId: string): Promise<void> {
    const run = await releaseWaitingSummary(tx, interviewId);
    if (!run) return;
    const payload = { interviewId, runId: run.runId };
    await runAs(run.startedBy, () => this.#deps.queue.enqueue(tx, stepJob('summarize'), payload));
  }

  /** Frees the worker; the same run resumes after `ms`. */
  async postponeStep(tx: Executor, run: StepOfInterview & { runId: string }, ms: number): Promise<void> {
    const { interviewId, runId } = run;
    await this.#deps.queue.enqueue(tx, stepJob(run.step), { interviewId, runId }, new Date(Date.now() + ms));
  }

  /** Sets or clears the reason why a step waits. */
  async setNote(tx: Executor, { interviewId, step }: StepOfInterview, note: string | null): Promise<void> {
    await updateStepNote(tx, interviewId, { step, note });
    await this.#deps.events.record(tx, 'step.progressed', { interviewId, step });
  }
}

async function hasText(tx: Executor, { interviewId, step }: StepOfInterview): Promise<boolean> {
  if (step === 'convert') return false;
  const texts = await findTexts(tx, interviewId);
  return Boolean(step === 'transcribe' ? texts?.transcription_text : texts?.summary_text);
}
