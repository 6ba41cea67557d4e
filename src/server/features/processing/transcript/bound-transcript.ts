import { TEXT_LIMIT } from '#contracts/rules/limits.ts';
import type { TranscriptSegment } from '#contracts/transcripts.ts';
import { oneLine, transcriptText } from './transcript-text.ts';

export interface BoundTranscript {
  text: string;
  /** The same words with their times. */
  segments: readonly TranscriptSegment[];
  isCut: boolean;
}

/** What has no space in so many characters is cut anywhere: scripts without spaces, and what is no speech. */
const LONGEST_WORD = 1_000;

/** The transcript to read, of at most `most` characters: nobody could save a longer one again. It ends with a whole word. */
export function boundTranscript(segments: readonly TranscriptSegment[], most = TEXT_LIMIT): BoundTranscript {
  const whole = transcriptText(segments);
  if (whole.length <= most) return { text: whole, segments, isCut: false };
  const text = beginning(whole, most);
  return { text, segments: segmentsWithin(text, segments), isCut: true };
}

function beginning(text: string, most: number): string {
  const space = Math.max(text.lastIndexOf(' ', most), text.lastIndexOf('\n', most));
  const end = space > 0 && most - space <= LONGEST_WORD ? space : most;
  return text.slice(0, end).toWellFormed().trimEnd();
}

/** The segments whose words the beginning of their transcript holds; the last one as far as it goes. */
function segmentsWithin(text: string, segments: readonly TranscriptSegment[]): TranscriptSegment[] {
  let place = 0;
  return segments.flatMap((segment) => {
    while (text[place] === ' ' || text[place] === '\n') place += 1;
    const said = text.slice(place, place + oneLine(segment.text).length);
    place += said.length;
    return said === '' ? [] : [{ ...segment, text: said }];
  });
}
