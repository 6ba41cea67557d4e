import { SENTENCE_END } from '#contracts/rules/sentence-end.ts';
import type { TranscriptSegment } from '#contracts/transcripts.ts';

const PAUSE_SECONDS = 2;
/** A paragraph ends with the first sentence that ends after this. */
const PARAGRAPH_SECONDS = 60;
/** Speech that was written down without full stops is not one paragraph for ever. */
const LONGEST_PARAGRAPH_SECONDS = 90;

/** A segment's text as the transcript has it. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The transcript to read: sentences joined, a blank line at a pause and about every minute. */
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
  return (
    seconds >= LONGEST_PARAGRAPH_SECONDS || (seconds >= PARAGRAPH_SECONDS && SENTENCE_END.test(before.text.trim()))
  );
}
