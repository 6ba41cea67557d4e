import { MAX_TEXT_LENGTH } from '#contracts/rules/limits.ts';
import type { TranscriptSegment } from '#contracts/transcripts.ts';
import { oneLine, transcriptText } from './transcript-text.ts';

export interface BoundTranscript {
  text: string;
  /** The times of the same words. */
  segments: readonly TranscriptSegment[];
  isCut: boolean;
}

/** Longer text without a space is cut anywhere: scripts without spaces, and what is not speech. */
const MAX_WORD = 1_000;

/**
 * The readable transcript, cut after a whole word to `maxCharacters`, because a longer one could
 * not be saved again.
 */
export function boundTranscript(
  segments: readonly TranscriptSegment[],
  maxCharacters = MAX_TEXT_LENGTH,
): BoundTranscript {
  const whole = transcriptText(segments);
  if (whole.length <= maxCharacters) return { text: whole, segments, isCut: false };
  const text = beginning(whole, maxCharacters);
  return { text, segments: segmentsWithin(text, segments), isCut: true };
}

function beginning(text: string, maxCharacters: number): string {
  const space = Math.max(text.lastIndexOf(' ', maxCharacters), text.lastIndexOf('\n', maxCharacters));
  const end = space > 0 && maxCharacters - space <= MAX_WORD ? space : maxCharacters;
  return text.slice(0, end).toWellFormed().trimEnd();
}

/** The segments within the beginning of their transcript; the last one may be cut. */
function segmentsWithin(text: string, segments: readonly TranscriptSegment[]): TranscriptSegment[] {
  let place = 0;
  return segments.flatMap((segment) => {
    while (text[place] === ' ' || text[place] === '\n') place += 1;
    const kept = text.slice(place, place + oneLine(segment.text).length);
    place += kept.length;
    return kept === '' ? [] : [{ ...segment, text: kept }];
  });
}

/** A part of the recording; the times of its segments count from the part's beginning. */
export interface TranscribedPart {
  startSeconds: number;
  segments: TranscriptSegment[];
}

/**
 * The segments of all parts with times of the recording. A segment neither begins before the
 * previous one nor ends in the next part.
 */
export function joinParts(parts: readonly TranscribedPart[]): TranscriptSegment[] {
  const sorted = parts.toSorted((a, b) => a.startSeconds - b.startSeconds);
  let earliest = 0;
  return sorted.flatMap((part, index) => {
    const latest = sorted[index + 1]?.startSeconds ?? Number.POSITIVE_INFINITY;
    return part.segments
      .filter(({ text }) => text.trim() !== '')
      .map(({ text, ...within }) => {
        const startSeconds = Math.max(earliest, Math.min(latest, part.startSeconds + within.startSeconds));
        earliest = startSeconds;
        const endSeconds = Math.max(startSeconds, Math.min(latest, part.startSeconds + within.endSeconds));
        return { startSeconds, endSeconds, text: text.trim() };
      });
  });
}
