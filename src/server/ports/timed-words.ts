import { SENTENCE_END } from '#contracts/rules/plain-text.ts';
import type { TranscriptSegment } from '#contracts/transcripts.ts';

/** A word as the server sends it; some servers include the space before it. */
export interface TimedWord {
  text: string;
  startSeconds: number;
  endSeconds: number;
}

const MAX_SEGMENT_SECONDS = 12;
/** A longer silence ends a segment. */
const PAUSE_SECONDS = 0.8;

/**
 * Joins words into segments that end at a full stop or a pause, or after 12 seconds at the latest.
 */
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
  word.endSeconds - open.startSeconds > MAX_SEGMENT_SECONDS;

/**
 * OpenAI's words lack the punctuation of the text next to them: if both are the same words, use
 * the words of the text.
 */
function withPunctuation(words: readonly TimedWord[], text: string): readonly TimedWord[] {
  const written = text.split(/\s+/).filter(Boolean);
  const isSame =
    written.length === words.length && written.every((token, nth) => bare(token) === bare(words[nth]?.text));
  return isSame ? words.map((word, nth) => ({ ...word, text: written[nth] ?? word.text })) : words;
}

/**
 * Chinese and Japanese have no spaces between words; in other languages the words may include them.
 */
function separatorOf(words: readonly TimedWord[], text: string): string {
  if (words.some((word) => word.text.startsWith(' '))) return '';
  const joined = words.map((word) => word.text).join('');
  return words.length > 1 && text.includes(joined) ? '' : ' ';
}

const bare = (word = '') => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
