import type { LogAction } from '#contracts/logs.ts';
import type { Step } from '#contracts/rules/steps.ts';

/** Builds a text from an interview's quoted title and the name of the video host. */
type TextOf = (title: string, host: string) => string;

interface StepTexts {
  /** The stored action of the step's log entries. */
  action: LogAction;
  logStarted: TextOf;
  logDone: TextOf;
  /** Precedes a colon and the reason. */
  logFailed: TextOf;
  /** The response to the user who starts the step. */
  started: (host: string) => string;
  /** The response when the step is already running. */
  running: string;
  /** The live message when the step completes, from the candidate's name or the quoted title. */
  completed: TextOf;
}

/** The error of a step that failed without a reason for users. */
export const UNEXPECTED = 'Something went wrong. Try again.';

export const STEP_TEXTS: Record<Step, StepTexts> = {
  convert: {
    action: 'convert-interview',
    logStarted: (title, host) => `Started uploading ${title} to ${host}.`,
    logDone: (title, host) => `Published ${title} on ${host}.`,
    logFailed: (title, host) => `Couldn't publish ${title} on ${host}`,
    started: (host) => `Uploading to ${host}.`,
    running: 'This video is already being published.',
    completed: (name, host) => `${name}'s video is on ${host}.`,
  },
  transcribe: {
    action: 'transcribe-interview',
    logStarted: (title) => `Started transcribing ${title}.`,
    logDone: (title) => `Transcribed ${title}.`,
    logFailed: (title) => `Couldn't transcribe ${title}`,
    started: () => 'Transcribing the recording.',
    running: 'This recording is already being transcribed.',
    completed: (name) => `The transcript for ${name} is ready.`,
  },
  summarize: {
    action: 'summarize-interview',
    logStarted: (title) => `Started summarizing ${title}.`,
    logDone: (title) => `Summarized ${title}.`,
    logFailed: (title) => `Couldn't summarize ${title}`,
    started: () => 'Writing the summary.',
    running: 'The summary is already being written.',
    completed: (name) => `The summary for ${name} is ready.`,
  },
};

/** For texts about an already published video when no host is connected. */
const UNKNOWN_HOST = 'the video host';

export const hostName = (host: { name: string } | null): string => host?.name ?? UNKNOWN_HOST;
