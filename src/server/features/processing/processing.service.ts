import type { Answer } from '#contracts/endpoint.ts';
import type { StepMessage } from '#contracts/live.ts';
import type { StepMessageType } from '#contracts/rules/step-message-types.ts';
import type { getSummary } from '#contracts/summaries.ts';
import type { getTranscript } from '#contracts/transcripts.ts';
import type { Executor } from '../../db/database.ts';
import { type EditedText, interviewGone, shortTitle } from '../interviews/interviews.service.ts';
import { type ConvertDependencies, convert } from './convert.ts';
import { stepJob } from './processing.jobs.ts';
import { forgetRun, runsWithJobs, stepState } from './step-runs.repo.ts';
import { type StarterDependencies, StepStarter } from './step-starter.ts';
import { StepWorker, type StepWorkerDependencies } from './step-worker.ts';
import { STEP_NAMES, STEPS, type Step, type StepRun, stepJobName } from './steps.ts';
import { type SummarizeDependencies, summarize } from './summarize.ts';
import { forgetStructure, readTexts, storeEditedTimes } from './texts.repo.ts';
import { type TranscribeDependencies, transcribe } from './transcribe.ts';
import { retime } from './transcript/retime.ts';
import { toVtt } from './transcript/to-vtt.ts';

export { STEP_RETRY, type StepRetry } from './step-retry.ts';
export { PUBLISH_PACE, type PublishPace } from './until-ready.ts';

export interface ProcessingDependencies
  extends StarterDependencies,
    ConvertDependencies,
    TranscribeDependencies,
    SummarizeDependencies,
    Omit<StepWorkerDependencies, 'afterEnd'> {
  /** Steps of each kind that one process works on at the same time. */
  concurrency: Record<Step, number>;
}

const INTERRUPTED = 'This step was interrupted and could not go on. Please try again.';

/** The steps that turn an interview into something to send. */
export class Processing {
  readonly #on: ProcessingDependencies;
  readonly #starter: StepStarter;
  readonly #worker: StepWorker;
  readonly jobs;

  constructor(dependencies: ProcessingDependencies) {
    this.#on = dependencies;
    this.#starter = new StepStarter(dependencies);
    this.#worker = new StepWorker({ ...dependencies, afterEnd: (tx, run, error) => this.#afterEnd(tx, run, error) });
    const work = {
      convert: convert(dependencies),
      transcribe: transcribe(dependencies),
      summarize: summarize(dependencies),
    };
    this.jobs = STEP_NAMES.map((step) =>
      stepJob(step, dependencies.concurrency[step], (run, context) => this.#worker.work(run, work[step], context)),
    );
    dependencies.interviews.afterEdit((tx, edited) => this.#afterEdit(tx, edited));
  }

  /**
   * Starts a step. A summary without a transcript starts the transcript as well and follows it.
   * @throws AppError not_found, step_running, step_done, not_configured
   */
  start(interviewId: string, step: Step): Promise<{ message: string }> {
    return this.#starter.start(interviewId, step);
  }

  async transcript(interviewId: string): Promise<Answer<typeof getTranscript>> {
    const texts = await this.#texts(interviewId);
    return {
      transcriptionText: texts.transcription_text,
      version: texts.transcript_version,
      source: texts.transcript_source,
      segments: texts.segments,
    };
  }

  async summary(interviewId: string): Promise<Answer<typeof getSummary>> {
    const { summary_text, summary_version, summary_structure } = await this.#texts(interviewId);
    return { summaryText: summary_text, version: summary_version, structure: summary_structure };
  }

  /** Captions for a player; a file without cues while no times are known. @throws AppError not_found */
  async captions(interviewId: string): Promise<string> {
    return toVtt((await this.#texts(interviewId)).segments);
  }

  /** What browsers are told about a step now. Null when the interview is gone, or there is nothing to tell any more. */
  async liveMessage(type: StepMessageType, interviewId: string): Promise<StepMessage | null> {
    const row = await stepState(this.#on.db, interviewId);
    const step = STEP_NAMES.find((name) => type.startsWith(`${STEPS[name].live}-`));
    if (!row || !step) return null;
    const { columns, done } = STEPS[step];
    // Announced before the step ended, read after it: a card that shows the end must not go back.
    if (type.endsWith('progress') && row[`${columns}_status`] !== 'in-progress') return null;
    // Everybody is told, also who looks at other interviews: it has to say whose step it was.
    const message = type.endsWith('failed')
      ? `"${shortTitle(row.title)}": ${row[`${columns}_error`] ?? 'the last attempt failed.'}`
      : type.endsWith('completed')
        ? `"${shortTitle(row.title)}" ${done}.`
        : row[`${columns}_note`];
    return {
      type,
      data: { interviewId, message: message ?? '', ...(step === 'convert' && { progress: row.youtube_progress }) },
    };
  }

  /** A step whose job is gone for good (it was given up, or the queue was emptied) must not say "in progress" for ever. */
  async endAbandoned(): Promise<void> {
    for (const run of await runsWithJobs(this.#on.db)) {
      const { interviewId, runId } = run;
      const isHeld = await this.#on.queue.holds(stepJobName(run.step), { interviewId, runId });
      if (!isHeld) await this.#worker.fail(run, INTERRUPTED);
    }
  }

  async #afterEnd(tx: Executor, { step, interviewId }: StepRun, error: string | null): Promise<void> {
    if (step !== 'transcribe') return;
    if (error === null) await this.#starter.releaseSummary(tx, interviewId);
    else await this.#starter.failSummary(tx, interviewId, error);
  }

  /** Somebody's own text ends the step that would have written one. */
  async #afterEdit(tx: Executor, { id, kind, text }: EditedText): Promise<void> {
    if (kind === 'summary') {
      await forgetRun(tx, { interviewId: id, step: 'summarize' });
      await forgetStructure(tx, id);
      return;
    }
    await forgetRun(tx, { interviewId: id, step: 'transcribe' });
    const texts = await readTexts(tx, id);
    await storeEditedTimes(tx, id, retime(texts?.segments ?? [], text));
    await this.#starter.releaseSummary(tx, id);
  }

  async #texts(interviewId: string) {
    const texts = await readTexts(this.#on.db, interviewId);
    if (!texts) throw interviewGone();
    return texts;
  }
}
