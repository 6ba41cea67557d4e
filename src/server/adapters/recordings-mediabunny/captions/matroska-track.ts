import { inflateSync } from 'node:zlib';
import { childOf, elementsOf, text, unsigned } from './ebml.ts';

/** RFC 9559, section 5.1.4. */
const TRACK_ENTRY = 0xae;
const TRACK_NUMBER = 0xd7;
const TRACK_TYPE = 0x83;
const CODEC_ID = 0x86;
const CONTENT_ENCODINGS = 0x6d80;
const CONTENT_ENCODING = 0x6240;
const CONTENT_COMPRESSION = 0x5034;
const COMPRESSION_ALGORITHM = 0x4254;

const SUBTITLES = 0x11;
const ZLIB = 0;
/** A cue is a few lines, however small it was made. */
const LONGEST_CUE_BYTES = 64 * 1024;

/** What the text of a block is; captions in other formats are pictures, or scripts for how to draw. */
const TEXTS: Record<string, (block: string) => string> = {
  'S_TEXT/UTF8': (block) => block,
  'S_TEXT/WEBVTT': (block) => block,
  // WebM's older form: an identifier and settings, a line each, then the text.
  'D_WEBVTT/SUBTITLES': linesAfterTwo,
  'D_WEBVTT/CAPTIONS': linesAfterTwo,
};

export interface CaptionTrack {
  number: number;
  /** What a block of the track says. Throws for one that was not packed as the track says. */
  textOf(block: Uint8Array): string;
}

/** The first track of captions that we can read. */
export function captionTrack(tracks: DataView): CaptionTrack | null {
  for (const { id, content } of elementsOf(tracks)) {
    if (id !== TRACK_ENTRY || unsigned(childOf(content, TRACK_TYPE)) !== SUBTITLES) continue;
    const number = unsigned(childOf(content, TRACK_NUMBER));
    const textOf = TEXTS[text(childOf(content, CODEC_ID))];
    const unpack = unpackerOf(content);
    if (number && textOf && unpack)
      return { number, textOf: (block) => textOf(new TextDecoder().decode(unpack(block))) };
  }
  return null;
}

/** Null for what is encrypted or packed in a way that text is not. mkvmerge packs captions with zlib. */
function unpackerOf(track: DataView): ((block: Uint8Array) => Uint8Array) | null {
  const encodings = childOf(track, CONTENT_ENCODINGS);
  if (!encodings) return (block) => block;
  const all = [...elementsOf(encodings)].filter(({ id }) => id === CONTENT_ENCODING);
  const compression = all[0] && childOf(all[0].content, CONTENT_COMPRESSION);
  if (all.length !== 1 || !compression) return null;
  // Left out, it is zlib (section 5.1.4.1.31.6).
  const algorithm = childOf(compression, COMPRESSION_ALGORITHM);
  if (algorithm && unsigned(algorithm) !== ZLIB) return null;
  return (block) => inflateSync(block, { maxOutputLength: LONGEST_CUE_BYTES });
}

function linesAfterTwo(block: string): string {
  return block.split('\n').slice(2).join('\n');
}
