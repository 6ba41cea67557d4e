import type { AnswerStart } from '#contracts/review.ts';
import type { NewLogEntry } from '#server/features/logs/logs.service.ts';
import type { TextKind } from './interview-texts.repo.ts';

const MAX_TITLE_LENGTH = 120;

/** A title as log entries and messages show it. */
export const shortTitle = (title: string) =>
  title.length > MAX_TITLE_LENGTH ? `${title.slice(0, MAX_TITLE_LENGTH - 1)}…` : title;

export interface LoggedInterview {
  id: string;
  title: string;
}

export const archiveEntry = (interview: LoggedInterview, isArchived: boolean): NewLogEntry =>
  isArchived
    ? entry('archive-interview', interview, (title) => `Interview "${title}" was archived.`)
    : entry('unarchive-interview', interview, (title) => `Interview "${title}" was unarchived.`);

export const editTextEntry = (interview: LoggedInterview, kind: TextKind): NewLogEntry =>
  entry(`update-${kind}`, interview, (title) => `The ${kind} of interview "${title}" was edited.`);

export const destinationEntry = (interview: LoggedInterview, destinationId: string): NewLogEntry =>
  entry(
    'set-destination',
    interview,
    (title) => `The destination of interview "${title}" was set to ${destinationId}.`,
  );

export const dismissEntry = (interview: LoggedInterview, errors: readonly string[]): NewLogEntry => ({
  ...entry('dismiss-failures', interview, (title) => `Dismissed the failed steps of "${title}".`),
  details: { errors },
});

export const markAnswerEntry = (interview: LoggedInterview, start: AnswerStart): NewLogEntry => ({
  ...entry('mark-answer', interview, (title) => `Marked where an answer starts in "${title}".`),
  details: { ...start },
});

export const loadEntry = (interview: LoggedInterview): NewLogEntry => ({
  ...entry('load-recording', interview, (title) => `Opened the recording of "${title}".`),
  status: 'info',
});

export const playEntry = (interview: LoggedInterview): NewLogEntry => ({
  ...entry('play-recording', interview, (title) => `Played the recording of "${title}".`),
  status: 'info',
});

/** One entry for all transcripts of an answer. */
export function readTranscriptsEntry(interviews: readonly LoggedInterview[]): NewLogEntry {
  const [interview] = interviews;
  if (interview && interviews.length === 1)
    return {
      ...entry('read-transcript', interview, (title) => `Read the transcript of "${title}".`),
      status: 'info',
    };
  return {
    type: 'system',
    action: 'read-transcript',
    status: 'info',
    summary: `Read the transcripts of ${interviews.length} interviews in a list.`,
    details: { interviews: interviews.map(({ id }) => ({ interviewId: id })) },
  };
}

const entry = (
  action: NewLogEntry['action'],
  { id, title }: LoggedInterview,
  summary: (title: string) => string,
): NewLogEntry => ({
  type: 'system',
  action,
  status: 'success',
  summary: summary(shortTitle(title)),
  metadata: { interviewId: id },
});
