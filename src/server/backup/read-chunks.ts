import type { ReadableFile } from '../ports/file-store.ts';

const CHUNK_BYTES = 1 << 20;

/** An opened file from its beginning to its end. A chunk is good until the next one is asked for. */
export async function* readChunks(opened: ReadableFile): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let at = 0; at < opened.file.size; ) {
    const bytes = await opened.read(buffer, at);
    if (bytes === 0) return;
    yield buffer.subarray(0, bytes);
    at += bytes;
  }
}
