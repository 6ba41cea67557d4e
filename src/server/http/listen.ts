import type { App } from './app.ts';

/** The address could not be listened on; the message names the variable to set. */
export class ListenError extends Error {
  override name = 'ListenError';
}

interface Address {
  port: number;
  host: string;
}

/** What the system says when it refuses an address: listen(2), bind(2), getaddrinfo(3). */
const CAUSES: Record<string, (at: Address) => string> = {
  EADDRINUSE: ({ port, host }) =>
    `Port ${port} of ${host} is in use by another program. Stop that one, or set PORT to another port.`,
  EACCES: ({ port }) =>
    `This account may not listen on port ${port}. Set PORT to 1024 or more, with a proxy before it.`,
  EADDRNOTAVAIL: ({ host }) => noAddress(host),
  ENOTFOUND: ({ host }) => noAddress(host),
  EAI_AGAIN: ({ host }) => noAddress(host),
};

const noAddress = (host: string) =>
  `HOST is ${host}, which is no address of this machine. Set it to one that is, or to 0.0.0.0 for every network.`;

/** @throws ListenError */
export async function listen(app: App, at: Address): Promise<void> {
  try {
    await app.listen(at);
  } catch (cause) {
    const inWords = CAUSES[String((cause as NodeJS.ErrnoException).code)];
    throw inWords ? new ListenError(inWords(at), { cause }) : cause;
  }
}
