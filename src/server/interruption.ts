import { constants } from 'node:os';

type TakeBack = () => Promise<unknown>;

const halfDone = new Set<TakeBack>();
let ending = false;

/** Has `takeBack` done when a signal ends a command: nothing half done stays on the disk, or running. Answers how to call that off. */
export function whenInterrupted(takeBack: TakeBack): () => void {
  halfDone.add(takeBack);
  return () => void halfDone.delete(takeBack);
}

/** From now on Ctrl-C and the like end this process when all that is half done was taken back, the latest first; a second one at once. */
export function endInOrder(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void end(128 + constants.signals[signal]));
}

/** Whether what fails from now on fails because it is being taken back. */
export const isInterrupted = (): boolean => ending;

async function end(exitCode: number): Promise<void> {
  if (ending) process.exit(exitCode);
  ending = true;
  for (const takeBack of [...halfDone].reverse()) await takeBack().catch(() => {});
  process.exit(exitCode);
}
