import type { HandlerInput, ResponseOf } from '#contracts/endpoint.ts';
import type { saveSummary } from '#contracts/interviews.ts';
import type { StepMessage } from '#contracts/live.ts';
import { parseStepMessageType, STEP_NAMES, type Step, type StepMessageType } from '#contracts/rules/steps.ts';
import type { getSummary } from '#contracts/summaries.ts';
import type { getTranscript, TranscriptFormat } from '#contracts/transcripts.ts';
import { AppError } from '#server/app-error.ts';
import type { Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import { shortTitle } from '#server/events/log-texts.ts';
import { interviewNotFound, type Viewings } from '#server/features/interviews/interviews.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type ConvertDeps, convert } from './convert.ts';
import { findTexts, type InterviewTexts, type TextColumns, updateTexts } from './interview-texts.repo.ts';
import type { StepPlan } from './step-plan.ts';
import { deleteRun, type StepOfInterview } from './step-runs.repo.ts';
import { StepStarter, type StepStarterDeps, type WantedSteps } from './step-starter.ts';
import { findSteps, updateFailedToDismissed, updateStatusToEnded } from './step-state.repo.ts';
import { hostName, STEP_TEXTS, UNEXPECTED } from './step-texts.ts';
import { StepTransitions } from './step-transitions.ts';
import { StepWorker, type StepWorkerDeps } from './step-worker.ts';
import { type SummarizeDeps, summarize } from './summarize.ts';
import { type TranscribeDeps, transcribe } from './transcribe.ts';
import { toSrt, toVtt } from './transcript/caption-files.ts';
import { retime } from './transcript/retime.ts';

export type { StepOfInterview } from './step-runs.repo.ts';

export interface ProcessingDeps
  extends ConvertDeps,
    TranscribeDeps,
    SummarizeDeps,
    Omit<StepStarterDeps, 'transitions'>,
    Omit<StepWorkerDeps, 'transitions'> {
  queue: JobQueue;
  events: Events;
  viewings: Pick<Viewings, 'recordReading'>;
  /** The number of steps of each kind that one process performs at the same time. */
  concurrency: Record<Step, number>;
}

interface EditedText {
  id: string;
  kind: 'transcript' | 'summary';
  basedOn: string | undefined;
}

/** The steps that prepare an interview for sending: convert, transcribe, summarize. */
export class Processing {
  readonly #deps: ProcessingDeps;
  readonly #transitions: StepTransitions;
  readonly #starter: StepStarter;
  readonly jobs;

  constructor(deps: ProcessingDeps) {
    this.#deps = deps;
    this.#transitions = new StepTransitions(deps);
    this.#starter = new StepStarter({ ...deps, transitions: this.#transitions });
    const worker = new StepWorker({ ...deps, transitions: this.#transitions });
    const work = { convert: convert(deps), transcribe: transcribe(deps), summarize: summarize(deps) };
    this.jobs = STEP_NAMES.map((step) => worker.defineJob(step, work[step], deps.concurrency[step]));
  }

  /**
   * Starts a step. A summary without a transcript starts the transcript as well and follows it.
   * @throws AppError not_found, step_running, step_done, not_configured
   */
  startStep(interviewId: string, step: Step): Promise<{ message: string }> {
    return this.#starter.startStep(interviewId, step);
  }

  /**
   * Starts the wanted steps of many locked interviews, where they may start. Returns for each
   * interview id which steps started, or why none did. The caller records them.
   */
  startAll(
    tx: Executor,
    starts: readonly WantedSteps[],
    supplied: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, StepPlan>> {
    return this.#starter.startAll(tx, starts, supplied);
  }

  /**
   * Returns the given interviews whose service supplies a transcript. Empty with a
   * transcription service, which is used instead.
   */
  listSupplied(ids: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    return this.#starter.listSupplied(ids, signal);
  }

  /**
   * Withdraws the given steps that have not begun or wait for a retry, and returns them. A
   * transcript that a summary waits for stays. Their interviews must be locked. With `error` they
   * fail; without it they count as never started.
   */
  withdrawAll(tx: Executor, steps: readonly StepOfInterview[], error: string | null): Promise<StepOfInterview[]> {
    return this.#transitions.withdrawSteps(tx, steps, error);
  }

  /** @throws AppError not_found */
  async findTranscript(interviewId: string): Promise<ResponseOf<typeof getTranscript>> {
    const texts = await this.#findRead(interviewId);
    return {
      transcriptionText: texts.transcription_text,
      version: texts.transcript_version,
      source: texts.transcript_source,
      segments: texts.segments,
    };
  }

  /** @throws AppError not_found */
  async findSummary(interviewId: string): Promise<ResponseOf<typeof getSummary>> {
    const { summary_text, summary_version, summary_structure } = await this.#findTexts(interviewId);
    return { summaryText: summary_text, version: summary_version, structure: summary_structure };
  }

  /** WebVTT captions; without cues when the transcript has no times. @throws AppError not_found */
  async findCaptions(interviewId: string): Promise<string> {
    return toVtt((await this.#findRead(interviewId)).segments);
  }

  /**
   * Returns the transcript as a file, and records the export.
   * @throws AppError not_found, also if the format needs times and the transcript has none
   */
  async exportTranscript(interviewId: string, format: TranscriptFormat): Promise<{ name: string; content: string }> {
    const { title, funnel_id, transcription_text, segments } = await this.#findRead(interviewId);
    if (transcription_text === null) throw new AppError('not_found', 'This interview has no transcript.');
    if (format !== 'txt' && segments.length === 0)
      throw new AppError('not_found', 'This transcript has no times. Download it as text instead.');
    const { db, events } = this.#deps;
    await events.record(db, 'transcript.exported', { interviewId, title, funnelId: funnel_id, format });
    const content = { txt: () => transcription_text, vtt: () => toVtt(segments), srt: () => toSrt(segments) }[format]();
    return { name: `${title} - transcript.${format}`, content };
  }

  /**
   * The current live message of a step. Null when the interview was deleted, or when the message is
   * outdated.
   */
  async findLiveMessage(
    type: StepMessageType,
    interviewId: string,
  ): Promise<{ funnelId: number; message: StepMessage } | null> {
    const row = await findSteps(this.#deps.db, interviewId);
    const announced = parseStepMessageType(type);
    if (!row || !announced) return null;
    const { step, event } = announced;
    const { status, error, note } = row.steps[step];
    // The step ended after this progress was announced, so the browser must not show it as running
    // again.
    if (event === 'progress' && status !== 'in-progress') return null;
    const { funnel_id: funnelId } = row;
    // Sent to all clients that see the funnel, so the message must name the interview.
    const name = row.candidate_name ? shortTitle(row.candidate_name) : `"${shortTitle(row.title)}"`;
    const messages = {
      progress: note ?? '',
      completed: STEP_TEXTS[step].completed(name, hostName(this.#deps.videoHost)),
      failed: `${name}: ${error ?? note ?? UNEXPECTED}`,
    };
    const data = { interviewId, message: messages[event] };
    if (step !== 'convert') return { funnelId, message: { type, data } };
    const youtubeUrl = event === 'completed' ? (row.youtube_url ?? undefined) : undefined;
    return { funnelId, message: { type, data: { ...data, progress: row.youtube_progress, youtubeUrl } } };
  }

  /** Failed steps count as never started. @throws AppError not_found */
  async dismissFailures(id: string): Promise<{ message: string }> {
    const { db, events } = this.#deps;
    await db.transaction().execute(async (tx) => {
      const row = await updateFailedToDismissed(tx, id);
      if (!row) throw interviewNotFound();
      if (row.errors.length > 0) await events.record(tx, 'failures.dismissed', { interviewId: id, ...row });
    });
    return { message: 'The failed steps were dismissed.' };
  }

  /**
   * Stores a text written by staff. `basedOn` is the version of the text they started from; without
   * it, any stored text is replaced.
   * @throws AppError not_found; text_changed when the stored text has another version
   */
  async saveTranscript(id: string, text: string, basedOn: string | undefined): Promise<{ message: string }> {
    await this.#saveText({ id, kind: 'transcript', basedOn }, ({ segments }) => ({
      transcription_text: text,
      transcript_source: 'staff',
      segments: retime(segments, text),
    }));
    return { message: 'Transcript updated' };
  }

  /** Like `saveTranscript`. A text alone is stored without a structure. */
  async saveSummary(
    id: string,
    { summaryText, structure, basedOn }: HandlerInput<typeof saveSummary>['body'],
  ): Promise<{ message: string }> {
    await this.#saveText({ id, kind: 'summary', basedOn }, () => ({
      summary_text: summaryText,
      summary_structure: structure ?? null,
    }));
    return { message: 'Summary updated' };
  }

  /** A text written by staff ends the step that would have written it. */
  async #saveText({ id, kind, basedOn }: EditedText, edit: (stored: InterviewTexts) => TextColumns): Promise<void> {
    const { db, events } = this.#deps;
    const step = kind === 'transcript' ? 'transcribe' : 'summarize';
    await db.transaction().execute(async (tx) => {
      // The update locks the interview, so that its texts have one writer until the commit.
      const row = await updateStatusToEnded(tx, id, { step });
      const stored = await findTexts(tx, id);
      if (!row || !stored) throw interviewNotFound();
      if (basedOn !== undefined && stored[`${kind}_version`] !== basedOn)
        throw new AppError('text_changed', `Someone else changed the ${kind} since you opened it.`);
      await updateTexts(tx, id, edit(stored));
      await events.record(tx, 'interview.edited', { interviewId: id, ...row, text: kind });
      await deleteRun(tx, { interviewId: id, step });
      await events.record(tx, 'step.replaced', { interviewId: id, step });
      if (kind === 'transcript') await this.#transitions.startWaitingSummary(tx, id);
    });
  }

  /** The texts for a reader of the transcript, which is recorded. */
  async #findRead(interviewId: string) {
    const texts = await this.#findTexts(interviewId);
    if (texts.transcription_text !== null) this.#deps.viewings.recordReading([{ id: interviewId, ...texts }]);
    return texts;
  }

  async #findTexts(interviewId: string) {
    const texts = await findTexts(this.#deps.db, interviewId);
    if (!texts) throw interviewNotFound();
    return texts;
  }
}
