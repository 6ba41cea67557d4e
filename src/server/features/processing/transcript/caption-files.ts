import type { TranscriptSegment } from '#contracts/transcripts.ts';

/**
 * The duration of a segment without an end, long enough to be read. A cue must end after it begins.
 */
const UNKNOWN_SECONDS = 2;
/** The usual line length of captions. */
const LINE_CHARACTERS = 42;
const LINES = 2;

/** WebVTT (https://www.w3.org/TR/webvtt1/, section 4.1). */
export function toVtt(segments: readonly TranscriptSegment[]): string {
  const blocks = allCues(segments).map(
    ({ startMs, endMs, lines }) => `${clock(startMs, '.')} --> ${clock(endMs, '.')}\n${lines.map(vttText).join('\n')}`,
  );
  return `${['WEBVTT', ...blocks].join('\n\n')}\n`;
}

/** SubRip, which has no specification: numbered cues with a comma before the milliseconds. */
export function toSrt(segments: readonly TranscriptSegment[]): string {
  const blocks = allCues(segments).map(({ startMs, endMs, lines }, index) =>
    [index + 1, `${clock(startMs, ',')} --> ${clock(endMs, ',')}`, ...lines.map(srtText), ''].join('\n'),
  );
  return blocks.join('\n');
}

interface Cue {
  startMs: number;
  endMs: number;
  lines: string[];
}

const allCues = (segments: readonly TranscriptSegment[]): Cue[] =>
  segments.flatMap(cuesOf).toSorted((a, b) => a.startMs - b.startMs);

/** Splits a long segment into several cues, which share its time in proportion to their length. */
function cuesOf({ startSeconds, endSeconds, text }: TranscriptSegment): Cue[] {
  const pieces = captionPieces(text);
  const characters = pieces.map((lines) => lines.join(' ').length);
  const all = characters.reduce((sum, length) => sum + length, 0);
  const start = Math.round(startSeconds * 1_000);
  // At least a millisecond per cue, the resolution of WebVTT.
  const duration = Math.max(pieces.length, Math.round(endSeconds * 1_000) - start || UNKNOWN_SECONDS * 1_000);
  let read = 0;
  let startMs = start;
  return pieces.map((lines, nth) => {
    read += characters[nth] ?? 0;
    const left = pieces.length - nth - 1;
    const endMs = Math.min(start + duration - left, Math.max(startMs + 1, start + Math.round((read / all) * duration)));
    const cue = { startMs, endMs, lines };
    startMs = endMs;
    return cue;
  });
}

/** Escaping `>` also prevents `-->` in a text (section 3.2). */
const vttText = (line: string) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const SRT_BRACKETS: Record<string, string> = { '<': '‹', '>': '›' };
/**
 * Players show tags (`<b>`) and commands (`{\\an8}`) as format, and the format has no escapes:
 * similar characters replace them, also in `-->`.
 */
const srtText = (line: string) =>
  line.replaceAll(/[<>]/g, (bracket) => SRT_BRACKETS[bracket] ?? bracket).replaceAll('{\\', '(\\');

/** Always includes hours, because not all parsers accept times without them. */
function clock(ms: number, point: '.' | ','): string {
  const [hours, minutes, seconds] = [
    Math.floor(ms / 3_600_000),
    Math.floor(ms / 60_000) % 60,
    Math.floor(ms / 1_000) % 60,
  ];
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(hours)}:${two(minutes)}:${two(seconds)}${point}${String(ms % 1_000).padStart(3, '0')}`;
}

/**
 * Splits a text into pieces of at most two lines that fit the width of a video. Only spaces are
 * lost.
 */
function captionPieces(text: string): string[][] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean).flatMap(splitLongWord)) {
    const line = lines.at(-1);
    if (line !== undefined && lengthOf(line) + 1 + lengthOf(word) <= LINE_CHARACTERS)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return Array.from({ length: Math.ceil(lines.length / LINES) }, (_, nth) =>
    lines.slice(nth * LINES, (nth + 1) * LINES),
  );
}

/** Cuts a word that is longer than a line between characters, as in scripts without spaces. */
function splitLongWord(word: string): string[] {
  const characters = [...word];
  return Array.from({ length: Math.ceil(characters.length / LINE_CHARACTERS) }, (_, nth) =>
    characters.slice(nth * LINE_CHARACTERS, (nth + 1) * LINE_CHARACTERS).join(''),
  );
}

const lengthOf = (text: string) => [...text].length;
