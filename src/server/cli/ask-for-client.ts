import { createInterface } from 'node:readline/promises';
import { NothingDone } from './nothing-done.ts';
import type { Terminal } from './read-password.ts';

/** The OAuth client that asks for the permission. */
export interface OAuthClient {
  clientId: string;
  clientSecret: string;
}

/** Asks for what the configuration does not have of the client. @throws NothingDone */
export async function askForClient(
  terminal: Terminal,
  { clientId, clientSecret }: Partial<OAuthClient>,
): Promise<OAuthClient> {
  if (clientId && clientSecret) return { clientId, clientSecret };
  if (!terminal.input.isTTY)
    throw new NothingDone('Set YOUTUBE_CLIENT_ID and YOUTUBE_CLIENT_SECRET to those of your client.');
  const lines = createInterface({ ...terminal, historySize: 0 });
  const ended = new Promise<never>((_, reject) =>
    lines.once('close', () => reject(new NothingDone('Nothing was changed.'))),
  );
  // Closing it ourselves is no giving up.
  ended.catch(() => {});
  const ask = async (question: string) => (await Promise.race([lines.question(question), ended])).trim();
  try {
    const client = {
      clientId: clientId ?? (await ask('Client id: ')),
      clientSecret: clientSecret ?? (await ask('Client secret: ')),
    };
    if (client.clientId === '' || client.clientSecret === '') throw new NothingDone('A client has an id and a secret.');
    return client;
  } finally {
    lines.close();
  }
}
