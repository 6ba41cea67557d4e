import { IncomingMessage } from 'node:http';
import { finished as onFinished, type Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';

/** The number of bytes that may wait in memory while the disk is busy. */
const MAX_WAITING_BYTES = 2 ** 20;

/**
 * Calls `write` with the chunks of a body: the first one immediately, then all that arrived during
 * the previous call. Ends with the body, with its connection, or when `signal` aborts, and resolves
 * when all chunks are written. After an error of `write` the rest of the body is not read.
 */
export async function writeBody(
  body: Readable,
  write: (chunks: Uint8Array[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const writeChunks = async (chunks: Uint8Array[]) => {
    await write(chunks);
    // No other code refers to a chunk of a connection.
    if (body instanceof IncomingMessage) for (const chunk of chunks) release(chunk);
  };
  const writer = new Writable({
    highWaterMark: MAX_WAITING_BYTES,
    write: (chunk: Uint8Array, _encoding, done) => void writeChunks([chunk]).then(() => done(), done),
    writev: (chunks, done) => void writeChunks(chunks.map(({ chunk }) => chunk as Uint8Array)).then(() => done(), done),
  });
  const stop = () => {
    body.unpipe(writer);
    writer.end();
  };
  const removeListeners = onFinished(body, { writable: false }, stop);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const written = finished(writer);
    if (signal.aborted) stop();
    else body.pipe(writer);
    await written;
  } finally {
    removeListeners();
    signal.removeEventListener('abort', stop);
  }
}

/**
 * Frees the memory of a written chunk immediately. Otherwise the buffers of a fast upload keep the
 * garbage collector busy for half of the processor time.
 */
function release({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
