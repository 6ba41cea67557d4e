import { constants } from 'node:os';

type Undo = () => Promise<unknown>;

const pending = new Set<Undo>();
let isEnding = false;

/**
 * Runs `undo` when a signal interrupts the command, so that no partial file and no child
 * process remains. The caller disposes of the result when the work is complete.
 */
export function whenInterrupted(undo: Undo): Disposable {
  pending.add(undo);
  return { [Symbol.dispose]: () => void pending.delete(undo) };
}

/**
 * Makes signals undo pending work, the latest first, and then exit. A second signal exits at
 * once.
 */
export function undoOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void undoAndExit(128 + constants.signals[signal]));
}

/** True once a signal arrived: later errors are a consequence of the undoing. */
export const isInterrupted = (): boolean => isEnding;

async function undoAndExit(exitCode: number): Promise<void> {
  if (isEnding) process.exit(exitCode);
  isEnding = true;
  for (const undo of [...pending].reverse()) await undo().catch(() => {});
  process.exit(exitCode);
}
