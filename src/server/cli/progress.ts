import type { Terminal } from './command.ts';

const TERMINAL_INTERVAL_MS = 200;
const LINE_INTERVAL_MS = 10_000;
/** Returns to the start of the line and clears it. */
const CLEAR_LINE = '\r\x1b[K';

/** Ends at the end of the block that uses it. */
export interface Progress extends Disposable {
  report(text: string): void;
  /** Clears the line of a terminal. */
  end(): void;
}

/**
 * Shows how far a command is: on one line of a terminal, or as a line every 10 s in the output of a
 * scheduled one.
 */
export function showProgress({ output }: Terminal): Progress {
  const interval = output.isTTY ? TERMINAL_INTERVAL_MS : LINE_INTERVAL_MS;
  let shownAt = Date.now();
  const end = () => {
    if (output.isTTY) output.write(CLEAR_LINE);
  };
  return {
    report(text) {
      if (Date.now() - shownAt < interval) return;
      shownAt = Date.now();
      output.write(output.isTTY ? `${CLEAR_LINE}${text}` : `${text}\n`);
    },
    end,
    [Symbol.dispose]: end,
  };
}
