import type { ReadableFile } from '#server/ports/file-store.ts';

/** Bytes that a file is sent with. Zeros follow `bytes` up to `end`, which is exclusive. */
export interface Patch {
  start: number;
  end: number;
  bytes: Buffer;
}

const NOTHING = Buffer.alloc(0);

export const blank = (start: number, end: number): Patch => ({ start, end, bytes: NOTHING });

export function applyPatch({ start, end, bytes }: Patch, buffer: Uint8Array, position: number): void {
  const from = Math.max(start, position);
  const to = Math.min(end, position + buffer.length);
  if (from >= to) return;
  buffer.fill(0, from - position, to - position);
  const part = bytes.subarray(from - start, to - start);
  buffer.set(part, from - position);
}

/** Can be read at any position. */
export type Bytes = Pick<ReadableFile, 'file' | 'read'>;

/** Copies `start` to `end` into memory, so that many small reads of a bucket are one. */
export async function load(opened: Bytes, { start, end }: { start: number; end: number }): Promise<Bytes> {
  const bytes = await readAt(opened, start, end - start);
  return { file: opened.file, read: async (buffer, position) => bytes.copy(buffer, 0, position - start) };
}

/** Reads up to `length` bytes, fewer only at the end of the file. */
export async function readAt(opened: Bytes, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.max(0, Math.min(length, opened.file.size - position)));
  for (let at = 0; at < buffer.length; ) {
    const read = await opened.read(buffer.subarray(at), position + at);
    if (read === 0) return buffer.subarray(0, at);
    at += read;
  }
  return buffer;
}
