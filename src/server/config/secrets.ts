import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';

/** Secrets of this installation: given by variable, or generated once into DATA_DIR with mode 0600. */
export interface Secrets {
  /** 32 bytes each: the first one encrypts API keys, all of them decrypt. Asked for at every use. */
  encryptionKeys: () => readonly Buffer[];
  /** Mixed into the hashes of session tokens, so that a copy of the database alone opens no session. */
  sessionSecret: Buffer;
}

export async function readSecrets(config: Config): Promise<Secrets> {
  const encryption = config.ENCRYPTION_KEY ?? (await keptSecret(config.DATA_DIR, 'encryption-key'));
  const session = config.SESSION_SECRET ?? (await keptSecret(config.DATA_DIR, 'session-secret'));
  const keys = [Buffer.from(encryption, 'hex')];
  return { encryptionKeys: () => keys, sessionSecret: Buffer.from(session, 'utf8') };
}

/** Two processes that start together must end with one secret: the file appears whole, and the second one finds the first one's. */
async function keptSecret(dataDir: string, name: string): Promise<string> {
  const path = join(dataDir, name);
  const kept = await readFile(path, 'utf8').catch(absent);
  if (kept !== null) return kept.trim();

  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(draft);
  return (await readFile(path, 'utf8')).trim();
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
