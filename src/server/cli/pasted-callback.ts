import { createInterface } from 'node:readline/promises';
import { CommandError, type Terminal } from './command.ts';
import type { OnCallback } from './oauth-callback-server.ts';

/**
 * A browser on another machine cannot reach our loopback address, but the URL it was redirected to
 * contains the response and can be pasted. `canceled` rejects when the input ends.
 */
export function readPastedCallback(terminal: Terminal, onCallback: OnCallback) {
  const canceled = Promise.withResolvers<never>();
  if (!terminal.input.isTTY) return { canceled: canceled.promise, stop: () => {} };
  terminal.output.write(
    "Browser on another machine? It will end on a page that won't load. Paste that page's URL here.\n",
  );
  const lines = createInterface({ ...terminal, historySize: 0 });
  lines.on('line', async (line) => {
    const parameters = URL.parse(line.trim())?.searchParams;
    const text = parameters ? await onCallback(parameters) : null;
    if (text === null && line.trim() !== '')
      terminal.output.write("That isn't the URL the browser ended on. Paste the whole URL.\n");
  });
  const onClose = () => canceled.reject(new CommandError('Canceled. Nothing was changed.'));
  lines.once('close', onClose);
  return {
    canceled: canceled.promise,
    stop: () => {
      lines.off('close', onClose);
      lines.close();
    },
  };
}
