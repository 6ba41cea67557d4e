import type { Step } from '#contracts/rules/steps.ts';
import { AppError } from '#server/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { interviewNotFound, interviewSteps, interviewTexts } from '#server/features/interviews/interviews.service.ts';
import type { Log } from '#server/ports/log.ts';
import type { Transcriber } from '#server/ports/transcriber.ts';
import type { VideoHost } from '#server/ports/video-host.ts';
import { hostName, STEP_TEXTS } from './step-texts.ts';
import type { StepTransitions } from './step-transitions.ts';
import { findSuppliedTranscript, NO_TRANSCRIBER, type SuppliedTranscriptDeps } from './supplied-transcript.ts';

export interface StepStarterDeps extends SuppliedTranscriptDeps {
  db: Database;
  log: Log;
  /** Null when the installation has none. */
  videoHost: VideoHost | null;
  /** The message for users if `videoHost` is null. */
  videoHostSetup: string;
  /** Null when the installation has none. */
  transcriber: Transcriber | null;
  transitions: StepTransitions;
}

/** How long a request may look for an existing transcript. */
const LOOK_TIMEOUT_MS = 10_000;

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
      const interview = await interviewSteps.lockInterviewForStart(tx, interviewId);
      if (!interview) throw interviewNotFound();
      if (step === 'convert' && interview.youtube_id !== null)
        throw new AppError('step_done', `This video is already on ${hostName(videoHost)}.`);
      const waits = step === 'summarize' && interview.transcription_status !== 'completed';
      if (waits && interview.transcription_status !== 'in-progress')
        await transitions.beginStep(tx, interview.title, { interviewId, step: 'transcribe', waits: false });
      await transitions.beginStep(tx, interview.title, { interviewId, step, waits });
      const message = waits
        ? 'Transcribing first. The summary will follow automatically.'
        : STEP_TEXTS[step].started(hostName(videoHost));
      return { message };
    });
  }

  /**
   * Refuses a step whose service is not configured, unless its result is available without the
   * service.
   */
  async #demandService(interviewId: string, step: Step): Promise<void> {
    const { db, log, videoHost, videoHostSetup, transcriber } = this.#deps;
    const texts = await interviewTexts.findTexts(db, interviewId);
    if (!texts) throw interviewNotFound();
    if (step === 'convert') {
      if (!videoHost) throw new AppError('not_configured', videoHostSetup);
      return;
    }
    if (transcriber || (step === 'summarize' && texts.transcription_text)) return;
    const input = { interviewId, funnelId: texts.funnel_id, signal: AbortSignal.timeout(LOOK_TIMEOUT_MS) };
    const supplied = await findSuppliedTranscript(this.#deps, input).catch((error: unknown) => {
      log.debug({ err: error, interviewId }, 'could not look for an existing transcript');
      return null;
    });
    if (!supplied) throw new AppError('not_configured', NO_TRANSCRIBER);
  }
}
