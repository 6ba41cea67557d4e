import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { CannotRunHere, endTools } from './run-tool.ts';

interface MachineCheck {
  name: string;
  /** Afterwards everything is ended. */
  limitMs: number;
  /** Printed if `check` throws `CannotRunHere`: the unchecked parts. */
  partial: string;
  check(folder: string): Promise<void>;
}

/**
 * Runs a check in a temporary folder, and then ends its programs and deletes the folder. Prints a
 * line that starts with "Partial" where the check cannot run.
 */
export async function runOnMachine({ name, limitMs, partial, check }: MachineCheck): Promise<void> {
  let stopped = '';
  const stop = (reason: string) => {
    stopped = reason;
    endTools();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop(`Got ${signal}.`));
  const late = setTimeout(() => stop(`It did not end within ${limitMs / 60_000} minutes.`), limitMs);
  // Not TMPDIR, which may be in memory.
  const folder = await mkdtemp(`/var/tmp/interviews-${name}-`);
  // apt downloads as another account.
  await chmod(folder, 0o711);
  try {
    await check(folder);
  } catch (error) {
    if (!stopped && error instanceof CannotRunHere) console.log(`\nPartial: ${partial} ${error.message}`);
    else {
      console.error(`\n✗ ${stopped} ${error instanceof Error ? error.message : error}`);
      process.exitCode = 1;
    }
  } finally {
    clearTimeout(late);
    endTools();
    await rm(folder, { recursive: true, force: true });
  }
}
