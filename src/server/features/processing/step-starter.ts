import type { Step } from '#contracts/rules/steps.ts';
import { AppError } from '#server/app-error.ts';
import type { Database, Executor } from '#server/db/database.ts';
import { stepsOf } from '#server/db/step-columns.ts';
import { interviewNotFound, type StoredInterview } from '#server/features/interviews/interviews.service.ts';
import type { Log } from '#server/ports/log.ts';
import type { ConvertDeps } from './convert.ts';
import { findTexts } from './interview-texts.repo.ts';
import { isConverted, planSteps, runsOf, type StepPlan } from './step-plan.ts';
import { lockInterviewForStart } from './step-state.repo.ts';
import { hostName, STEP_TEXTS } from './step-texts.ts';
import type { StepTransitions } from './step-transitions.ts';
import { NO_SUMMARIZER, type SummarizeDeps } from './summarize.ts';
import { findSuppliedTranscript, NO_TRANSCRIBER, type SuppliedTranscriptDeps } from './supplied-transcript.ts';
import type { TranscribeDeps } from './transcribe.ts';

/** A service that the installation does not have is null. */
export interface StepStarterDeps
  extends SuppliedTranscriptDeps,
    Pick<ConvertDeps, 'videoHost' | 'videoHostSetup'>,
    Pick<TranscribeDeps, 'transcriber'>,
    Pick<SummarizeDeps, 'summarizer'> {
  db: Database;
  log: Log;
  transitions: StepTransitions;
}

export interface WantedSteps {
  interview: StoredInterview;
  steps: readonly Step[];
}

/** How long a request may look for an existing transcript. */
const LOOK_TIMEOUT_MS = 10_000;
/** Concurrent requests to the interview service while a bulk run looks for transcripts. */
const MAX_LOOKS = 8;

/** Decides whether a step may start, and which other step starts with it. */
export class StepStarter {
  readonly #deps: StepStarterDeps;

  constructor(deps: StepStarterDeps) {
    this.#deps = deps;
  }

  /** @throws AppError not_found, step_running, step_done, not_configured */
  async startStep(interviewId: string, step: Step): Promise<{ message: string }> {
    await this.#demandService(interviewId, step);
    const { db, transitions, videoHost } = this.#deps;
    return db.transaction().execute(async (tx) => {
      const interview = await lockInterviewForStart(tx, interviewId);
      if (!interview) throw interviewNotFound();
      if (step === 'convert' && isConverted(interview))
        throw new AppError('step_done', `This video is already on ${hostName(videoHost)}.`);
      const runs = runsOf(step, interview.steps);
      for (const run of runs) await transitions.beginStep(tx, interview, { interviewId, ...run });
      const message = runs.some(({ waits }) => waits)
        ? 'Transcribing first. The summary will follow automatically.'
        : STEP_TEXTS[step].started(hostName(videoHost));
      return { message };
    });
  }

  /** See `Processing.listSupplied`. */
  async listSupplied(ids: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    const supplied = new Set<string>();
    if (this.#deps.transcriber) return supplied;
    for (let at = 0; at < ids.length; at += MAX_LOOKS) {
      signal.throwIfAborted();
      const some = ids.slice(at, at + MAX_LOOKS);
      const found = await Promise.all(some.map((id) => this.#hasSupplied(id)));
      for (const [index, id] of some.entries()) if (found[index]) supplied.add(id);
    }
    return supplied;
  }

  async #hasSupplied(interviewId: string): Promise<boolean> {
    const texts = await findTexts(this.#deps.db, interviewId);
    return texts !== undefined && !texts.transcription_text && this.#isSupplied(interviewId, texts.funnel_id);
  }

  /** See `Processing.startAll`. */
  async startAll(
    tx: Executor,
    starts: readonly WantedSteps[],
    supplied: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, StepPlan>> {
    const { transitions, segments, videoHost, transcriber, summarizer } = this.#deps;
    const ids = starts.map(({ interview }) => interview.id);
    const services = {
      videoHost: videoHost !== null,
      transcriber: transcriber !== null,
      summarizer: summarizer !== null,
      supplied,
      segmented: await segments.listRecorded(tx, ids),
    };
    const plans = new Map<string, StepPlan>();
    for (const { interview, steps } of starts)
      plans.set(interview.id, planSteps(steps, { ...interview, steps: stepsOf(interview) }, services));
    const runs = [...plans].flatMap(([interviewId, plan]) => plan.runs.map((run) => ({ interviewId, ...run })));
    await transitions.beginSteps(tx, runs);
    return plans;
  }

  /**
   * Refuses a step whose service is not configured, unless its result is available without the
   * service.
   */
  async #demandService(interviewId: string, step: Step): Promise<void> {
    const { db, videoHost, videoHostSetup, transcriber, summarizer } = this.#deps;
    const texts = await findTexts(db, interviewId);
    if (!texts) throw interviewNotFound();
    if (step === 'convert') {
      if (!videoHost) throw new AppError('not_configured', videoHostSetup);
      return;
    }
    if (step === 'summarize' && !summarizer) throw new AppError('not_configured', NO_SUMMARIZER);
    if (transcriber || (step === 'summarize' && texts.transcription_text)) return;
    if (!(await this.#isSupplied(interviewId, texts.funnel_id))) throw new AppError('not_configured', NO_TRANSCRIBER);
  }

  async #isSupplied(interviewId: string, funnelId: number): Promise<boolean> {
    const input = { interviewId, funnelId, signal: AbortSignal.timeout(LOOK_TIMEOUT_MS) };
    const supplied = await findSuppliedTranscript(this.#deps, input).catch((error: unknown) => {
      this.#deps.log.debug({ err: error, interviewId }, 'could not look for an existing transcript');
      return null;
    });
    return supplied !== null;
  }
}
