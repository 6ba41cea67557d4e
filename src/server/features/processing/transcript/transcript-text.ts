import { SENTENCE_END } from '#contracts/rules/plain-text.ts';
import type { TranscriptSegment } from '#contracts/transcripts.ts';

const PAUSE_SECONDS = 2;
/** A paragraph ends with the first sentence after this time. */
const PARAGRAPH_SECONDS = 60;
/** Limits paragraphs of speech that was transcribed without full stops. */
const MAX_PARAGRAPH_SECONDS = 90;

/** A segment's text as it appears in the transcript. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Joins segments to a readable transcript, with a blank line at a pause and about every minute. */
export function transcriptText(segments: readonly TranscriptSegment[]): string {
  const paragraphs: string[][] = [];
  let startSeconds = 0;
  let before: TranscriptSegment | null = null;
  for (const segment of segments) {
    const text = oneLine(segment.text);
    if (!text) continue;
    if (!before || beginsParagraph(segment, before, startSeconds)) {
      paragraphs.push([]);
      startSeconds = segment.startSeconds;
    }
    paragraphs.at(-1)?.push(text);
    before = segment;
  }
  return paragraphs.map((texts) => texts.join(' ')).join('\n\n');
}

function beginsParagraph(segment: TranscriptSegment, before: TranscriptSegment, paragraphStart: number): boolean {
  if (segment.startSeconds - before.endSeconds > PAUSE_SECONDS) return true;
  const seconds = before.endSeconds - paragraphStart;
  return seconds >= MAX_PARAGRAPH_SECONDS || (seconds >= PARAGRAPH_SECONDS && SENTENCE_END.test(before.text.trim()));
}
