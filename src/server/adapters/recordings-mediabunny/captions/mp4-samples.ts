import { LONGEST_SECONDS } from '#contracts/rules/limits.ts';
import { boxIn, fourCharacters } from './mp4-boxes.ts';

export interface Sample {
  offset: number;
  size: number;
  /** In the track's own units. */
  start: number;
  duration: number;
}

/** A sample for each second of the longest recording; tables of a few bytes may claim four thousand million. */
const MOST_SAMPLES = LONGEST_SECONDS;
/** After a box's version and flags. */
const FULL_BOX = 4;

/**
 * Where the samples of a track lie and when they are shown, from its sample tables (ISO/IEC 14496-12, sections 8.6.1.2, 8.7.3 to 8.7.5).
 * As many as there are sizes, and never more than `MOST_SAMPLES`.
 */
export function* samplesOf(sampleTable: DataView): Generator<Sample> {
  const times = timesOf(boxIn(sampleTable, 'stts'));
  const places = placesOf(sampleTable);
  let start = 0;
  for (const { chunk, size, offset } of places.take(MOST_SAMPLES)) {
    const { value: duration } = times.next();
    if (duration === undefined) return;
    yield { offset: chunk + offset, size, start, duration };
    start += duration;
  }
}

function* timesOf(stts: DataView | null): Generator<number, undefined> {
  const entries = stts?.getUint32(FULL_BOX) ?? 0;
  for (let entry = 0; stts && entry < entries; entry += 1) {
    const at = FULL_BOX + 4 + entry * 8;
    for (let count = stts.getUint32(at); count > 0; count -= 1) yield stts.getUint32(at + 4);
  }
}

function* placesOf(sampleTable: DataView): Generator<{ chunk: number; offset: number; size: number }> {
  const sizes = sizesOf(boxIn(sampleTable, 'stsz'));
  for (const { chunk, samples } of chunksOf(sampleTable)) {
    let offset = 0;
    for (let sample = 0; sample < samples; sample += 1) {
      const { value: size } = sizes.next();
      if (size === undefined) return;
      yield { chunk, offset, size };
      offset += size;
    }
  }
}

function* sizesOf(stsz: DataView | null): Generator<number, undefined> {
  if (!stsz) return;
  const same = stsz.getUint32(FULL_BOX);
  const count = stsz.getUint32(FULL_BOX + 4);
  for (let sample = 0; sample < count; sample += 1) yield same || stsz.getUint32(FULL_BOX + 8 + sample * 4);
}

/** The chunks in order, with how many samples are in each: `stsc` says from which chunk on another number holds. */
function* chunksOf(sampleTable: DataView): Generator<{ chunk: number; samples: number }> {
  const offsets = boxIn(sampleTable, 'stco') ?? boxIn(sampleTable, 'co64');
  const stsc = boxIn(sampleTable, 'stsc');
  if (!offsets || !stsc) return;
  const isWide = boxIn(sampleTable, 'stco') === null;
  const runs = stsc.getUint32(FULL_BOX);
  const runAt = (run: number) => FULL_BOX + 4 + run * 12;
  let run = 0;
  for (let chunk = 0; chunk < offsets.getUint32(FULL_BOX); chunk += 1) {
    while (run + 1 < runs && stsc.getUint32(runAt(run + 1)) <= chunk + 1) run += 1;
    const at = FULL_BOX + 4 + chunk * (isWide ? 8 : 4);
    yield {
      chunk: isWide ? Number(offsets.getBigUint64(at)) : offsets.getUint32(at),
      samples: stsc.getUint32(runAt(run) + 4),
    };
  }
}

/** The four characters that name the format of the samples. */
export const sampleFormat = (sampleTable: DataView): string | null => {
  const descriptions = boxIn(sampleTable, 'stsd');
  return descriptions && descriptions.byteLength >= 16 ? fourCharacters(descriptions, FULL_BOX + 8) : null;
};
