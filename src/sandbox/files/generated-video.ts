import { SCRIPTS } from '#sandbox/media/scripts.ts';
import { seededRandom } from '#sandbox/random.ts';
import { committedFile, type FileSource, MODIFIED_AT, viewsOf } from './file-source.ts';

const SHARED_BYTES = 1024 * 1024;
const FREE_BOX_BYTES = 8;
/** The size of a box has 32 bits (ISO/IEC 14496-12, section 4.2). */
const MAX_BYTES = 2 ** 32 - 1;

let shared: Buffer | null = null;

/**
 * Generates an mp4 of exactly `size` bytes: a committed recording, then one `free` box filled from
 * a shared buffer. If `size` is smaller than the recording, it is only the `free` box and cannot
 * be played.
 */
export function generatedVideo(
  name: string,
  size: number,
  recording: FileSource | null = smallestRecording(),
): FileSource | null {
  if (!Number.isSafeInteger(size) || size < 0 || size > MAX_BYTES) return null;
  const head = headFor(size, recording);
  return {
    size,
    contentType: 'video/mp4',
    etag: `"${name}-${size.toString(16)}"`,
    modifiedAt: MODIFIED_AT,
    *chunks(start, end) {
      if (start < head.length) yield* viewsOf(head, start, Math.min(end, head.length));
      yield* fillingOf(Math.max(0, start - head.length), end - head.length);
    },
  };
}

function headFor(size: number, recording: FileSource | null): Buffer {
  const padding = size - (recording?.size ?? 0);
  if (!recording || padding < FREE_BOX_BYTES) return size < FREE_BOX_BYTES ? Buffer.alloc(0) : freeBox(size);
  return Buffer.concat([...recording.chunks(0, recording.size), freeBox(padding)]);
}

/** Returns the header of a box of `size` bytes that players skip. */
export function freeBox(size: number): Buffer {
  const box = Buffer.alloc(FREE_BOX_BYTES);
  box.writeUInt32BE(size);
  box.write('free', 4, 'latin1');
  return box;
}

let smallest: FileSource | null = null;

/** The smallest committed mp4 with sound, or null if there is none. */
export function smallestRecording(): FileSource | null {
  smallest ??=
    SCRIPTS.filter(({ container, silent }) => container === 'mp4' && !silent)
      .map(({ id }) => committedFile(`${id}.mp4`))
      .filter((source) => source !== null)
      .sort((a, b) => a.size - b.size)[0] ?? null;
  return smallest;
}

function* fillingOf(start: number, end: number): Generator<Buffer> {
  shared ??= noise();
  for (let at = start; at < end; ) {
    const from = at % SHARED_BYTES;
    const to = Math.min(SHARED_BYTES, from + end - at);
    yield* viewsOf(shared, from, to);
    at += to - from;
  }
}

/** Incompressible bytes. */
function noise(): Buffer {
  const random = seededRandom(1);
  const bytes = Buffer.allocUnsafe(SHARED_BYTES);
  for (let at = 0; at < SHARED_BYTES; at += 4) bytes.writeUInt32LE(Math.floor(random() * 2 ** 32), at);
  return bytes;
}
