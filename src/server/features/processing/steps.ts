import { z } from 'zod';
import type { StepMessageType } from '#contracts/rules/step-message-types.ts';

export const STEP_NAMES = ['convert', 'transcribe', 'summarize'] as const;
export type Step = (typeof STEP_NAMES)[number];

interface StepFacts {
  /** The prefix of the step's columns on `interview`. */
  columns: 'youtube' | 'transcription' | 'summary';
  /** The prefix of its live messages. */
  live: 'conversion' | 'transcription' | 'summary';
  /** The action of its log entries. */
  action: string;
  /** What is done, as the log says it: `The video of "…" is being published`. */
  doing: string;
  done: string;
  failed: string;
  /** What somebody is told who starts it. */
  started: string;
  running: string;
}

/** What differs between the steps besides the work itself. */
export const STEPS: Record<Step, StepFacts> = {
  convert: {
    columns: 'youtube',
    live: 'conversion',
    action: 'convert-interview',
    doing: 'is being published on YouTube',
    done: 'is published on YouTube',
    failed: 'could not be published on YouTube',
    started: 'The video is being published on YouTube.',
    running: 'This video is already being published.',
  },
  transcribe: {
    columns: 'transcription',
    live: 'transcription',
    action: 'transcribe-interview',
    doing: 'is being transcribed',
    done: 'is transcribed',
    failed: 'could not be transcribed',
    started: 'The recording is being transcribed.',
    running: 'This recording is already being transcribed.',
  },
  summarize: {
    columns: 'summary',
    live: 'summary',
    action: 'summarize-interview',
    doing: 'is being summarized',
    done: 'is summarized',
    failed: 'could not be summarized',
    started: 'The summary is being written.',
    running: 'The summary is already being written.',
  },
};

/** A step of an interview that is under way. The id changes each time the step is started. */
export interface StepRun {
  interviewId: string;
  step: Step;
  runId: string;
  /** The process that works on it. */
  worker: string;
}

/** The job of a step, as whoever enqueues it needs it. */
export const stepJobName = (step: Step) => ({
  name: `processing.${step}`,
  payload: z.object({ interviewId: z.string(), runId: z.uuid() }),
});

export const liveType = (step: Step, what: 'progress' | 'completed' | 'failed'): StepMessageType =>
  `${STEPS[step].live}-${what}`;
