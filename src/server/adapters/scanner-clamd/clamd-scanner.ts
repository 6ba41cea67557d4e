import type { FileScanner } from '#server/ports/file-scanner.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { type ClamdAddress, ClamdCall } from './clamd-call.ts';
import { readVerdict } from './read-verdict.ts';

export interface ClamdOptions {
  address: ClamdAddress;
  /** Without taking a byte or saying a word for so long, it counts as away. */
  idleMs?: number;
  /** It looks into a file when it has all of it, which takes time; its own limit, MaxScanTime, is two minutes. */
  verdictMs?: number;
}

const PIECE_BYTES = 256 * 1024;
const LENGTH_BYTES = 4;
const CHECK_MS = 5_000;

/** ClamAV's daemon (https://docs.clamav.net/manual/Usage/Scanning.html#clamd), over TCP or a socket of this machine. */
export function clamdScanner({ address, idleMs = 30_000, verdictMs = 300_000 }: ClamdOptions): FileScanner {
  return {
    check: (signal) =>
      calling(address, Math.min(idleMs, CHECK_MS), signal, async (call) => {
        await call.send('zPING\0');
        const said = await call.answer(Math.min(idleMs, CHECK_MS));
        if (said !== 'PONG')
          throw new UpstreamError('scanner', 'unavailable', 'What answers as virus scanner is no clamd.');
      }),
    scan: (file, signal) =>
      calling(address, idleMs, signal, async (call) => {
        await sendFile(call, file);
        return readVerdict(await call.answer(verdictMs));
      }),
  };
}

async function calling<T>(
  address: ClamdAddress,
  idleMs: number,
  signal: AbortSignal,
  work: (call: ClamdCall) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const call = new ClamdCall(address, idleMs);
  const stop = () => call.close();
  signal.addEventListener('abort', stop);
  try {
    return await work(call);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    call.close();
  }
}

/** INSTREAM: each piece behind its length, big-endian, and a length of 0 at the end. Ends early when clamd has heard enough. */
async function sendFile(call: ClamdCall, file: Parameters<FileScanner['scan']>[0]): Promise<void> {
  const buffer = Buffer.allocUnsafeSlow(LENGTH_BYTES + PIECE_BYTES);
  await call.send('zINSTREAM\0');
  for (let position = 0; !call.answered; ) {
    const bytes = await file.read(buffer.subarray(LENGTH_BYTES), position);
    buffer.writeUInt32BE(bytes);
    await call.send(buffer.subarray(0, LENGTH_BYTES + bytes));
    if (bytes === 0) return;
    position += bytes;
  }
}
