import type { FastifyBaseLogger } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { Database, Executor } from '../../db/database.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import { announce } from '../../live/bus.ts';
import type { InterviewSource } from '../../ports/interview-source.ts';
import type { Recordings } from '../../ports/recordings.ts';
import type { Transcriber } from '../../ports/transcriber.ts';
import type { VideoHost } from '../../ports/video-host.ts';
import type { Funnels } from '../funnels/funnels.service.ts';
import { type Interviews, interviewGone, shortTitle } from '../interviews/interviews.service.ts';
import type { Logs } from '../logs/logs.service.ts';
import { stepEndEntry } from './step-log.ts';
import { beginStep, endStep, lockInterview, type NewRun, releaseRun } from './step-runs.repo.ts';
import { liveType, STEPS, type Step, stepJobName } from './steps.ts';
import { NO_TRANSCRIBER, needsNoTranscriber } from './supplied-transcript.ts';
import { readTexts } from './texts.repo.ts';

export interface StarterDependencies {
  db: Database;
  queue: JobQueue;
  logs: Logs;
  log: FastifyBaseLogger;
  interviews: Interviews;
  funnels: Funnels;
  source: InterviewSource;
  recordings: Recordings;
  /** Null when the installation has none. */
  videoHost: VideoHost | null;
  transcriber: Transcriber | null;
}

const NO_VIDEO_HOST =
  'YouTube is not connected. Set YOUTUBE_CLIENT_ID, YOUTUBE_CLIENT_SECRET and YOUTUBE_REFRESH_TOKEN (npm run youtube:connect helps) and start the server again.';
/** A request that asks whether a transcript is there already does not wait longer. */
const LOOK_MS = 10_000;

/** Decides whether a step may start, and what starts with it. */
export class StepStarter {
  readonly #on: StarterDependencies;

  constructor(dependencies: StarterDependencies) {
    this.#on = dependencies;
  }

  /** @throws AppError not_found, step_running, step_done, not_configured */
  async start(interviewId: string, step: Step): Promise<{ message: string }> {
    await this.#refuseUnconfigured(interviewId, step);
    return this.#on.db.transaction().execute(async (tx) => {
      const interview = await lockInterview(tx, interviewId);
      if (!interview) throw interviewGone();
      if (step === 'convert' && interview.youtube_id !== null)
        throw new AppError('step_done', 'This video is already published on YouTube.');
      const waits = step === 'summarize' && interview.transcription_status !== 'completed';
      if (waits && interview.transcription_status !== 'in-progress')
        await this.#begin(tx, interview.title, { interviewId, step: 'transcribe', waits: false });
      await this.#begin(tx, interview.title, { interviewId, step, waits });
      const message = waits
        ? 'The recording is being transcribed first; the summary follows by itself.'
        : STEPS[step].started;
      return { message };
    });
  }

  /** A summary that waits for this transcript goes on. */
  async releaseSummary(tx: Executor, interviewId: string): Promise<void> {
    const run = await releaseRun(tx, interviewId);
    if (run) await this.#on.queue.enqueue(tx, stepJobName('summarize'), { interviewId, runId: run.runId });
  }

  /** A summary that waits for this transcript ends with it. */
  async failSummary(tx: Executor, interviewId: string, transcriptError: string): Promise<void> {
    if (!(await releaseRun(tx, interviewId))) return;
    const error = `The transcript could not be made: ${transcriptError}`;
    const title = await endStep(tx, { interviewId, step: 'summarize' }, { error, note: null });
    await this.#on.logs.write(tx, stepEndEntry({ interviewId, step: 'summarize', title, error }));
    await announce(tx, 'step', `${liveType('summarize', 'failed')} ${interviewId}`);
  }

  /** What can be known before the work: a service that is not there, when nothing else can do its part. */
  async #refuseUnconfigured(interviewId: string, step: Step): Promise<void> {
    const texts = await readTexts(this.#on.db, interviewId);
    if (!texts) throw interviewGone();
    if (step === 'convert') {
      if (!this.#on.videoHost) throw new AppError('not_configured', NO_VIDEO_HOST);
      return;
    }
    if (this.#on.transcriber || (step === 'summarize' && texts.transcription_text)) return;
    const asked = { interviewId, funnelId: texts.funnel_id, signal: AbortSignal.timeout(LOOK_MS) };
    const has = await needsNoTranscriber(this.#on, asked).catch((error: unknown) => {
      this.#on.log.debug({ err: error, interviewId }, 'could not look for a transcript');
      return false;
    });
    if (!has) throw new AppError('not_configured', NO_TRANSCRIBER);
  }

  async #begin(tx: Executor, title: string, run: NewRun): Promise<void> {
    const { interviewId, step, waits } = run;
    const { action, doing, running } = STEPS[step];
    const runId = await beginStep(tx, run);
    if (!runId) throw new AppError('step_running', running);
    if (!waits) await this.#on.queue.enqueue(tx, stepJobName(step), { interviewId, runId });
    await this.#on.logs.write(tx, {
      type: 'system',
      action,
      status: 'info',
      summary: `Interview "${shortTitle(title)}" ${doing}.`,
      metadata: { interviewId },
    });
    await announce(tx, 'step', `${liveType(step, 'progress')} ${interviewId}`);
  }
}
