import type { ServerResponse } from 'node:http';
import type { ReadableFile } from '#server/ports/file-store.ts';
import { type Block, type BlockPool, fileBlocks } from './block-pool.ts';
import type { ByteRange } from './byte-ranges.ts';

interface FilledBlock {
  block: Block;
  bytes: Buffer;
  isLast: boolean;
}

/**
 * Sends part of a file and ends the response. Reads the next block while one is being written, and
 * writes no faster than the client reads. Calls `writeHead` after the first read, so a file that
 * cannot be read rejects before anything is sent; later failures reject with half a response.
 * Returns early when the client disconnects. The caller closes the file.
 */
export async function sendRange(
  file: ReadableFile,
  range: ByteRange,
  { response, writeHead, pool = fileBlocks }: { response: ServerResponse; writeHead: () => void; pool?: BlockPool },
): Promise<void> {
  let position = range.start;
  const readNext = async (): Promise<FilledBlock | null> => {
    if (position > range.end) return null;
    const filled = await readBlock(file, { start: position, end: range.end }, pool);
    position += filled.bytes.length;
    return filled;
  };

  let current = await readNext();
  if (!response.destroyed) writeHead();
  while (current && !response.destroyed) {
    const next = readNext();
    // The write may take long; the loop awaits `next` after it.
    next.catch(() => {});
    await writeBlock(response, current, pool);
    current = await next;
  }
  if (current) pool.release(current.block);
}

async function readBlock(file: ReadableFile, range: ByteRange, pool: BlockPool): Promise<FilledBlock> {
  const block = pool.acquire();
  try {
    const rest = range.end - range.start + 1;
    const target = block.bytes.subarray(0, Math.min(block.bytes.length, rest));
    const length = await file.read(target, range.start, range.end + 1);
    if (length === 0) throw new Error('The file became shorter while it was being sent.');
    return { block, bytes: block.bytes.subarray(0, length), isLast: length === rest };
  } catch (error) {
    pool.release(block);
    throw error;
  }
}

/** Resolves when the system has taken the bytes, or when the connection is closed. */
function writeBlock(response: ServerResponse, { block, bytes, isLast }: FilledBlock, pool: BlockPool): Promise<void> {
  return new Promise((resolve) => {
    const written = (error?: Error | null) => {
      if (error) return;
      response.off('close', closed);
      pool.release(block);
      resolve();
    };
    const closed = () => {
      // The write is never confirmed, so the system may still be reading the buffer.
      pool.discard(block);
      resolve();
    };
    response.once('close', closed);
    if (isLast) response.end(bytes, written);
    else response.write(bytes, written);
  });
}
