import { AppError } from '../../app-error.ts';
import type { Interviews } from '../interviews/interviews.service.ts';

export type Step = 'convert' | 'transcribe' | 'summarize';

/** What each step needs before it can be started. */
const NOT_CONNECTED: Record<Step, string> = {
  convert: 'No video host is connected to this installation.',
  transcribe: 'No transcription service is connected to this installation.',
  summarize: 'No summary service is connected to this installation.',
};

/** The steps that turn an interview into something to send. */
export class Processing {
  readonly #interviews: Interviews;

  constructor(interviews: Interviews) {
    this.#interviews = interviews;
  }

  /** @throws AppError not_found, not_configured */
  async start(interviewId: string, step: Step): Promise<{ message: string }> {
    await this.#interviews.video(interviewId);
    throw new AppError('not_configured', NOT_CONNECTED[step]);
  }
}
