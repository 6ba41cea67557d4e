import type { EventData } from '#contracts/events.ts';
import type { NewLogEntry } from '#server/events/events.ts';
import { shortTitle } from '#server/events/log-texts.ts';

type LoggedInterview = Pick<EventData<'interview.archived'>, 'interviewId' | 'title'>;

export const archiveEntry = (interview: LoggedInterview): NewLogEntry =>
  entry('archive-interview', interview, (title) => `Interview "${title}" was archived.`);

export const unarchiveEntry = (interview: LoggedInterview): NewLogEntry =>
  entry('unarchive-interview', interview, (title) => `Interview "${title}" was unarchived.`);

export const editTextEntry = ({ text, ...interview }: EventData<'interview.edited'>): NewLogEntry =>
  entry(`update-${text}`, interview, (title) => `The ${text} of interview "${title}" was edited.`);

export const destinationEntry = ({ destinationId, ...interview }: EventData<'interview.linked'>): NewLogEntry =>
  entry(
    'set-destination',
    interview,
    (title) => `The destination of interview "${title}" was set to ${destinationId}.`,
  );

export const dismissEntry = ({ errors, ...interview }: EventData<'failures.dismissed'>): NewLogEntry => ({
  ...entry('dismiss-failures', interview, (title) => `Dismissed the failed steps of "${title}".`),
  details: { errors },
});

export const markAnswerEntry = ({ start, ...interview }: EventData<'answer.marked'>): NewLogEntry => ({
  ...entry('mark-answer', interview, (title) => `Marked where an answer starts in "${title}".`),
  details: start,
});

export const loadEntry = (interview: LoggedInterview): NewLogEntry => ({
  ...entry('load-recording', interview, (title) => `Opened the recording of "${title}".`),
  status: 'info',
});

export const playEntry = (interview: LoggedInterview): NewLogEntry => ({
  ...entry('play-recording', interview, (title) => `Played the recording of "${title}".`),
  status: 'info',
});

export const exportTranscriptEntry = ({ format, ...interview }: EventData<'transcript.exported'>): NewLogEntry => ({
  ...entry('export-transcript', interview, (title) => `Downloaded the transcript of "${title}".`),
  details: { format, count: 1 },
});

/** One entry for all transcripts of a response. */
export function readTranscriptsEntry({ interviews }: EventData<'transcripts.read'>): NewLogEntry {
  const [interview] = interviews;
  if (interview && interviews.length === 1)
    return {
      ...entry('read-transcript', interview, (title) => `Read the transcript of "${title}".`),
      status: 'info',
    };
  return {
    action: 'read-transcript',
    status: 'info',
    summary: `Read the transcripts of ${interviews.length} interviews in a list.`,
    details: { interviews: interviews.map(({ interviewId }) => ({ interviewId })) },
  };
}

const entry = (
  action: NewLogEntry['action'],
  { interviewId, title }: LoggedInterview,
  summary: (title: string) => string,
): NewLogEntry => ({
  action,
  summary: summary(shortTitle(title)),
  metadata: { interviewId },
});
