import type { ServerResponse } from 'node:http';
import type { ReadableFile } from '../ports/file-store.ts';
import type { Block, BlockPool } from './block-pool.ts';
import { type ByteRange, lengthOf } from './byte-ranges.ts';
import { readSome } from './read-some.ts';

/**
 * Reads a part that fits into one block, to be sent in one piece: a stream would cost more than these bytes. The block goes back to the
 * pool when the answer has left. The caller closes the file.
 */
export async function readSmallPart(
  file: ReadableFile,
  part: ByteRange,
  { response, pool }: { response: ServerResponse; pool: BlockPool },
): Promise<Buffer> {
  const block = pool.take();
  try {
    const bytes = block.bytes.subarray(0, lengthOf(part));
    for (let filled = 0; filled < bytes.length; ) {
      filled += await readSome(file, bytes.subarray(filled), part.start + filled);
    }
    giveBackAfter(response, block, pool);
    return bytes;
  } catch (error) {
    pool.give(block);
    throw error;
  }
}

function giveBackAfter(response: ServerResponse, block: Block, pool: BlockPool): void {
  let left = false;
  response.once('finish', () => {
    left = true;
    pool.give(block);
  });
  // Without `finish` the system may still be reading the bytes.
  response.once('close', () => {
    if (!left) pool.forget(block);
  });
}
