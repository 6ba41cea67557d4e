import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline/promises';
import { CommandError, type Terminal } from './command.ts';

interface Consent<Granted> {
  /** Printed above `url`: how to give consent there. */
  instruction: string;
  url: string;
  /** The service returns it with the response. */
  state: string;
  exchangeCode(code: string): Promise<Granted>;
  /** The name of the connected service, for the page in the browser. */
  nameOf(granted: Granted): string;
}

/** Returns the text for the browser, or null when the request is not the expected callback. */
type OnCallback = (parameters: URLSearchParams) => Promise<string | null>;

/**
 * Shows the URL of an OAuth consent and waits for its response: the redirect to a server on
 * loopback (RFC 8252, section 7.3), or its pasted URL. Returns the result of `exchangeCode`.
 * @throws CommandError when the permission was not granted or the input ends
 */
export async function askForConsent<Granted>(
  terminal: Terminal,
  port: number,
  prepare: (redirectUrl: string) => Promise<Consent<Granted>>,
): Promise<Granted> {
  const { promise, resolve, reject } = Promise.withResolvers<Granted>();
  let receive: OnCallback = async () => null;
  const server = await listenOnLoopback(port, (parameters) => receive(parameters));
  try {
    const consent = await prepare(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    receive = receiveOnce(consent, { resolve, reject });
    terminal.output.write(`${consent.instruction}\n\n  ${consent.url}\n\n`);
    const lines = readPastedCallbacks(terminal, receive);
    lines?.once('close', () => reject(new CommandError('Canceled. Nothing was changed.')));
    return await promise.finally(() => lines?.close());
  } finally {
    server.close();
    server.closeIdleConnections();
  }
}

/** Accepts the first callback with the state of our own request and exchanges its code. */
function receiveOnce<Granted>(
  { state, exchangeCode, nameOf }: Consent<Granted>,
  { resolve, reject }: Pick<PromiseWithResolvers<Granted>, 'resolve' | 'reject'>,
): OnCallback {
  let isReceived = false;
  return async (parameters) => {
    if (isReceived || parameters.get('state') !== state) return null;
    isReceived = true;
    try {
      const code = parameters.get('code');
      if (!code) throw new CommandError('Permission was not granted. Nothing was changed.');
      const granted = await exchangeCode(code);
      resolve(granted);
      return `Connected with ${nameOf(granted)}. Return to the terminal; you can close this window.`;
    } catch (error) {
      reject(error);
      return "That didn't work. See the terminal for details; you can close this window.";
    }
  };
}

async function listenOnLoopback(port: number, onCallback: OnCallback) {
  const server = createServer(async (request, response) => {
    const url = URL.parse(request.url ?? '/', 'http://127.0.0.1');
    const text = request.method === 'GET' && url?.pathname === '/' ? await onCallback(url.searchParams) : null;
    const headers = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' };
    response.writeHead(text === null ? 404 : 200, headers).end(text ?? 'Nothing to do here.');
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return server;
}

/**
 * A browser on another machine cannot reach our loopback address, but the URL it was redirected to
 * contains the response and can be pasted.
 */
function readPastedCallbacks(terminal: Terminal, onCallback: OnCallback) {
  if (!terminal.input.isTTY) return null;
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
  return lines;
}
