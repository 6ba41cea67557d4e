import type { TranscriptSegment } from '#contracts/transcripts.ts';
import { captionPieces } from './caption-lines.ts';

/** For a segment whose end nobody knows: long enough to be read. A cue must end after it begins. */
const UNKNOWN_SECONDS = 2;

/** Captions for the player (WebVTT, https://www.w3.org/TR/webvtt1/, section 4.1). */
export function toVtt(segments: readonly TranscriptSegment[]): string {
  const cues = segments.flatMap(cuesOf).toSorted((a, b) => a.startMs - b.startMs);
  const blocks = cues.map(({ startMs, endMs, text }) => `${clock(startMs)} --> ${clock(endMs)}\n${text}`);
  return `${['WEBVTT', ...blocks].join('\n\n')}\n`;
}

interface Cue {
  startMs: number;
  endMs: number;
  text: string;
}

/** A long segment becomes several cues, which share its time by how much there is to read. */
function cuesOf({ startSeconds, endSeconds, text }: TranscriptSegment): Cue[] {
  const pieces = captionPieces(text);
  const characters = pieces.map((lines) => lines.join(' ').length);
  const all = characters.reduce((sum, length) => sum + length, 0);
  const start = Math.round(startSeconds * 1_000);
  // A millisecond for each, at least: that is how finely cues tell time.
  const duration = Math.max(pieces.length, Math.round(endSeconds * 1_000) - start || UNKNOWN_SECONDS * 1_000);
  let read = 0;
  let startMs = start;
  return pieces.map((lines, nth) => {
    read += characters[nth] ?? 0;
    const left = pieces.length - nth - 1;
    const endMs = Math.min(start + duration - left, Math.max(startMs + 1, start + Math.round((read / all) * duration)));
    const cue = { startMs, endMs, text: lines.map(escaped).join('\n') };
    startMs = endMs;
    return cue;
  });
}

/** With `>` escaped, the arrow between times cannot stand in a text either (section 3.2). */
const escaped = (line: string) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Hours are written always: some readers take two fields for minutes and seconds, some do not. */
function clock(ms: number): string {
  const [hours, minutes, seconds] = [
    Math.floor(ms / 3_600_000),
    Math.floor(ms / 60_000) % 60,
    Math.floor(ms / 1_000) % 60,
  ];
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(hours)}:${two(minutes)}:${two(seconds)}.${String(ms % 1_000).padStart(3, '0')}`;
}
