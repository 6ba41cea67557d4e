import type { ReadableFile } from '../ports/file-store.ts';

/** Reads at least one byte. A file that ends before its promised size would leave the client waiting for the rest. */
export async function readSome(file: ReadableFile, buffer: Uint8Array, position: number): Promise<number> {
  const length = await file.read(buffer, position);
  if (length === 0) throw new Error('The file became shorter while it was being sent.');
  return length;
}
