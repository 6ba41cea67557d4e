import type { TranscriptSegment } from '#contracts/transcripts.ts';
import type { ByteWindow } from './byte-window.ts';
import { CueList } from './cue-list.ts';
import { boxesIn, boxIn, topBox } from './mp4-boxes.ts';
import { sampleFormat, samplesOf } from './mp4-samples.ts';

/** How the text of a sample is found, by the format of the samples. */
const TEXTS: Record<string, (sample: DataView) => string> = { wvtt: webVttText, tx3g: timedText, text: timedText };
/** A cue is a few lines. */
const LONGEST_SAMPLE = 64 * 1024;

/** Caption tracks of mp4 and mov files that are not fragmented: WebVTT (ISO/IEC 14496-30) and 3GPP timed text (3GPP TS 26.245). */
export async function readMp4Captions(bytes: ByteWindow): Promise<TranscriptSegment[] | null> {
  const movie = await topBox(bytes, 'moov');
  if (!movie) return null;
  const tracks = [...boxesIn(movie)].filter(({ type }) => type === 'trak').map(({ content }) => content);
  const chapters = tracks.flatMap(chapterTracks);
  for (const track of tracks) {
    // A list of chapters has the same form as captions.
    if (chapters.includes(trackId(track))) continue;
    const cues = await cuesOf(track, bytes);
    if (cues) return cues;
  }
  return null;
}

async function cuesOf(track: DataView, bytes: ByteWindow): Promise<TranscriptSegment[] | null> {
  const table = boxIn(track, 'mdia', 'minf', 'stbl');
  const textOf = TEXTS[(table && sampleFormat(table)) ?? ''];
  const perSecond = timescale(boxIn(track, 'mdia', 'mdhd'));
  if (!table || !textOf || !perSecond) return null;
  const list = new CueList();
  for (const { offset, size, start, duration } of samplesOf(table)) {
    if (list.isFull) break;
    if (size === 0 || size > LONGEST_SAMPLE) continue;
    const text = textOf(await bytes.view(offset, size));
    list.add(start / perSecond, (start + duration) / perSecond, text);
  }
  return list.cues;
}

/** Cues that are shown at the same time lie in one sample; a `vtte` box stands for a time without any. */
function webVttText(sample: DataView): string {
  return [...boxesIn(sample)]
    .filter(({ type }) => type === 'vttc')
    .map(({ content }) => boxIn(content, 'payl'))
    .map((payload) => (payload ? decoded(payload) : ''))
    .join('\n');
}

/** Two bytes that say how long the text is; behind it may lie styles. */
function timedText(sample: DataView): string {
  const length = sample.byteLength >= 2 ? Math.min(sample.getUint16(0), sample.byteLength - 2) : 0;
  return decoded(new DataView(sample.buffer, sample.byteOffset + 2 * Math.sign(length), length));
}

/** UTF-8, or UTF-16 where a byte order mark says so. */
function decoded(text: DataView): string {
  const mark = text.byteLength >= 2 ? text.getUint16(0) : 0;
  const encoding = mark === 0xfeff ? 'utf-16be' : mark === 0xfffe ? 'utf-16le' : 'utf-8';
  return new TextDecoder(encoding).decode(text);
}

const isLong = (fullBox: DataView) => fullBox.getUint8(0) === 1;
const timescale = (mdhd: DataView | null) => mdhd?.getUint32(isLong(mdhd) ? 20 : 12) ?? 0;

function trackId(track: DataView): number {
  const tkhd = boxIn(track, 'tkhd');
  return tkhd?.getUint32(isLong(tkhd) ? 20 : 12) ?? 0;
}

/** The ids of the tracks in which this one's chapters are (QuickTime File Format, "Chapter lists"). */
function chapterTracks(track: DataView): number[] {
  const list = boxIn(track, 'tref', 'chap');
  return list ? Array.from({ length: Math.floor(list.byteLength / 4) }, (_, nth) => list.getUint32(nth * 4)) : [];
}
