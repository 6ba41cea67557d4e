import { once } from 'node:events';
import { createServer } from 'node:net';
import type { App } from './app.ts';

/** The message names the variable to set. */
export class ListenError extends Error {
  override name = 'ListenError';
}

interface Address {
  port: number;
  host: string;
}

/** Messages for error codes of listen(2), bind(2) and getaddrinfo(3). */
const MESSAGES: Record<string, (at: Address) => string> = {
  EADDRINUSE: ({ port, host }) =>
    `Port ${port} of ${host} is in use by another program. Stop it, or set PORT to another port.`,
  EACCES: ({ port }) =>
    `This account can't listen on port ${port}. Set PORT to 1024 or more, and put a proxy in front.`,
  EADDRNOTAVAIL: ({ host }) => notAnAddress(host),
  ENOTFOUND: ({ host }) => notAnAddress(host),
  EAI_AGAIN: ({ host }) => notAnAddress(host),
};

const notAnAddress = (host: string) =>
  `HOST is ${host}, which is not an address of this machine. Set it to one of its addresses, or to 0.0.0.0 for all networks.`;

/** @throws ListenError */
export async function listen(app: App, at: Address): Promise<void> {
  try {
    await app.listen(at);
  } catch (cause) {
    const message = MESSAGES[String((cause as NodeJS.ErrnoException).code)];
    throw message ? new ListenError(message(at), { cause }) : cause;
  }
}

/**
 * Returns why the server could not listen, or null. A port in use is fine while our server
 * responds there.
 */
export async function findListenProblem(at: Address): Promise<string | null> {
  await using server = createServer().listen(at);
  try {
    await once(server, 'listening');
    return null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE' && (await isOurServer(at))) return null;
    return MESSAGES[String(code)]?.(at) ?? `The server can't listen on port ${at.port} of ${at.host}: ${message}.`;
  }
}

const RESPONSE_TIMEOUT_MS = 3_000;

async function isOurServer({ port, host }: Address): Promise<boolean> {
  try {
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/livez`;
    const response = await fetch(url, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
    return typeof ((await response.json()) as { release?: unknown }).release === 'string';
  } catch {
    return false;
  }
}
