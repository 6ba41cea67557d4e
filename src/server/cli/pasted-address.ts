import { createInterface } from 'node:readline/promises';
import type { OnVisit } from './loopback.ts';
import { NothingDone } from './nothing-done.ts';
import type { Terminal } from './read-password.ts';

/**
 * A browser on another machine does not reach our loopback; the address it ends at then has the answer, and can be pasted.
 * `givenUp` rejects when the person ends the input.
 */
export function acceptPastedAddress(terminal: Terminal, onVisit: OnVisit) {
  const givenUp = Promise.withResolvers<never>();
  if (!terminal.input.isTTY) return { givenUp: givenUp.promise, stop: () => {} };
  terminal.output.write(
    'If the browser is on another machine, it ends at a page that it cannot open: paste the address of that page here.\n',
  );
  const lines = createInterface({ ...terminal, historySize: 0 });
  lines.on('line', async (line) => {
    const visit = URL.parse(line.trim())?.searchParams;
    const said = visit ? await onVisit(visit) : null;
    if (said === null && line.trim() !== '')
      terminal.output.write('That is not the address that the browser came back with.\n');
  });
  const giveUp = () => givenUp.reject(new NothingDone('Nothing was changed.'));
  lines.once('close', giveUp);
  return {
    givenUp: givenUp.promise,
    stop: () => {
      lines.off('close', giveUp);
      lines.close();
    },
  };
}
