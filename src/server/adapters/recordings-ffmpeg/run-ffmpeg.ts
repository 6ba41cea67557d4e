import { spawn } from 'node:child_process';
import { UnreadableRecording } from '#server/ports/recordings.ts';

const MAX_REASON_LENGTH = 300;

interface RunOptions {
  limitMs: number;
  signal: AbortSignal;
}

/**
 * Runs ffmpeg without a shell and without our environment. It is killed when `signal` aborts, and
 * after `limitMs`.
 * @throws UnreadableRecording, the signal's reason
 */
export async function runFfmpeg(path: string, args: readonly string[], { limitMs, signal }: RunOptions): Promise<void> {
  signal.throwIfAborted();
  const timeout = AbortSignal.timeout(Math.ceil(limitMs));
  const program = spawn(path, args, {
    env: {},
    stdio: ['ignore', 'ignore', 'pipe'],
    signal: AbortSignal.any([signal, timeout]),
    killSignal: 'SIGKILL',
  });
  let output = '';
  program.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-MAX_REASON_LENGTH);
  });
  const { promise: ended, resolve, reject } = Promise.withResolvers<number | null>();
  let failure: unknown = null;
  program.on('error', (error) => {
    failure = error;
    // A program that could not be started emits no exit.
    if (program.pid === undefined) reject(error);
  });
  program.on('close', resolve);
  const code = await ended;
  signal.throwIfAborted();
  if (timeout.aborted) throw new UnreadableRecording('Joining these recordings with ffmpeg takes too long.');
  if (failure) throw failure;
  if (code !== 0) throw new UnreadableRecording(`ffmpeg could not join these recordings. ${lastLine(output)}`.trim());
}

const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? '';
