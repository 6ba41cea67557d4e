import type { ClientVerdict } from '#contracts/shares.ts';
import type { NoteContent, NoteVerdict, PushContent } from './pushes.repo.ts';

const VERDICTS: Record<ClientVerdict, string> = { yes: 'Yes', maybe: 'Maybe', no: 'No' };

/** Identifies the note of an interview in the ATS. */
export const markerOf = (interviewId: string): string => `vim:${interviewId}`;

/**
 * Writes the note about an interview. It only contains texts that people review, never ratings or
 * scores.
 */
export function writeNote(content: PushContent, verdict: NoteVerdict | null, origin: string | null): NoteContent {
  const text = [
    `Video interview: ${oneLine(content.title)}`,
    `Recorded on ${content.recordedAt.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })}`,
    ...(content.summary ? ['', content.summary.trim()] : []),
    ...(verdict ? ['', "Client's verdict", ...verdictLines(verdict)] : []),
  ].join('\n');
  if (origin === null) return { text, links: [] };
  const url = `${origin}/?${new URLSearchParams({ interview: content.interviewId })}`;
  return { text, links: [{ label: 'Watch the interview', url }] };
}

const verdictLines = ({ recipient, verdict, note }: NoteVerdict): string[] => [
  `${oneLine(recipient)}: ${VERDICTS[verdict]}`,
  ...(note ? [`“${note.trim()}”`] : []),
];

/** The note as it appears in the preview. */
export const previewNote = ({ text, links }: NoteContent): string =>
  [text, ...links.map(({ label, url }) => `${label}: ${url}`)].join('\n\n');

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
