import { SENTENCE_END } from '#contracts/rules/sentence-end.ts';
import type { TranscriptSegment } from '#contracts/transcripts.ts';

/** A word as a server gives it; some put the space before it, some after the sentence has been cut up. */
export interface TimedWord {
  text: string;
  startSeconds: number;
  endSeconds: number;
}

const LONGEST_SEGMENT_SECONDS = 12;
/** A silence that is longer is the end of a thought. */
const PAUSE_SECONDS = 0.8;

/** Sentences out of words: up to a full stop or a pause, and never longer than a caption can stand. */
export function segmentsOfWords(words: readonly TimedWord[], text: string): TranscriptSegment[] {
  const spoken = withPunctuation(words, text);
  const separator = separatorOf(spoken, text);
  const segments: TranscriptSegment[] = [];
  let open: TranscriptSegment | null = null;
  for (const word of spoken) {
    if (open && endsBefore(open, word)) open = null;
    if (open) {
      open.text += separator + word.text;
      open.endSeconds = word.endSeconds;
    } else {
      open = { ...word };
      segments.push(open);
    }
  }
  return segments;
}

const endsBefore = (open: TranscriptSegment, word: TimedWord): boolean =>
  SENTENCE_END.test(open.text) ||
  word.startSeconds - open.endSeconds > PAUSE_SECONDS ||
  word.endSeconds - open.startSeconds > LONGEST_SEGMENT_SECONDS;

/** OpenAI's words come without the punctuation that the text beside them has: where both are the same words, the text's are taken. */
function withPunctuation(words: readonly TimedWord[], text: string): readonly TimedWord[] {
  const written = text.split(/\s+/).filter(Boolean);
  const isSame =
    written.length === words.length && written.every((token, nth) => bare(token) === bare(words[nth]?.text));
  return isSame ? words.map((word, nth) => ({ ...word, text: written[nth] ?? word.text })) : words;
}

/** Chinese and Japanese have no spaces between words; other words may bring their own. */
function separatorOf(words: readonly TimedWord[], text: string): string {
  if (words.some((word) => word.text.startsWith(' '))) return '';
  const joined = words.map((word) => word.text).join('');
  return words.length > 1 && text.includes(joined) ? '' : ' ';
}

const bare = (word = '') => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
