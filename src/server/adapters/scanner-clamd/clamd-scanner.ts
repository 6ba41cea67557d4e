import type { FileScanner } from '#server/ports/file-scanner.ts';
import { reportFailedCall, UpstreamError } from '#server/ports/upstream-error.ts';
import { type ClamdAddress, ClamdCall } from './clamd-call.ts';
import { readVerdict } from './read-verdict.ts';

export interface ClamdOptions {
  address: ClamdAddress;
  /** Without progress for this long, the scanner counts as unavailable. */
  idleMs?: number;
  /**
   * Scanning begins when the whole file has arrived and takes time; clamd's own limit, MaxScanTime,
   * is two minutes.
   */
  verdictMs?: number;
}

const PIECE_BYTES = 256 * 1024;
const LENGTH_BYTES = 4;
const CHECK_MS = 5_000;

/**
 * ClamAV's daemon (https://docs.clamav.net/manual/Usage/Scanning.html#clamd), over TCP or a local
 * socket.
 */
export function clamdScanner({ address, idleMs = 30_000, verdictMs = 300_000 }: ClamdOptions): FileScanner {
  return {
    check: (signal) =>
      withCall(address, Math.min(idleMs, CHECK_MS), signal, async (call) => {
        await call.send('zPING\0');
        const response = await call.readResponse(Math.min(idleMs, CHECK_MS));
        if (response !== 'PONG')
          throw new UpstreamError('scanner', 'unavailable', "The virus scanner at CLAMD_ADDRESS isn't clamd.");
      }),
    scan: (file, signal) =>
      withCall(address, idleMs, signal, async (call) => {
        await sendFile(call, file);
        return readVerdict(await call.readResponse(verdictMs));
      }),
  };
}

async function withCall<T>(
  address: ClamdAddress,
  idleMs: number,
  signal: AbortSignal,
  work: (call: ClamdCall) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const call = new ClamdCall(address, idleMs, signal);
  try {
    return await work(call);
  } catch (error) {
    signal.throwIfAborted();
    reportFailedCall(error);
    throw error;
  } finally {
    call.close();
  }
}

/**
 * INSTREAM: each chunk after its length, big-endian, and a length of 0 at the end. Stops early when
 * clamd has answered.
 */
async function sendFile(call: ClamdCall, file: Parameters<FileScanner['scan']>[0]): Promise<void> {
  const buffer = Buffer.allocUnsafeSlow(LENGTH_BYTES + PIECE_BYTES);
  await call.send('zINSTREAM\0');
  for (let position = 0; !call.isSettled; ) {
    const bytes = await file.read(buffer.subarray(LENGTH_BYTES), position);
    buffer.writeUInt32BE(bytes);
    await call.send(buffer.subarray(0, LENGTH_BYTES + bytes));
    if (bytes === 0) return;
    position += bytes;
  }
}
