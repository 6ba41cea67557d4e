import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Config, readConfig } from '../config/config.ts';
import { findEncryptionKeys, prepareNextKey, readSecrets, retireCurrentKey } from '../config/secrets.ts';
import { ROTATION_LOCK } from '../db/advisory-locks.ts';
import type { Database } from '../db/database.ts';
import { Tombstones } from '../features/candidates/tombstones.service.ts';
import { resealApiKeys } from '../features/funnels/reseal-api-keys.ts';
import { resealSecondFactors } from '../features/session/second-factor/reseal-second-factors.ts';
import { keyId, Sealer } from '../secrets/sealer.ts';
import { NothingDone } from './nothing-done.ts';
import { openDatabase } from './open-database.ts';
import { UsageError } from './usage-error.ts';

export const USAGE = `Usage:
  npm run keys:rotate

Seals all API keys and second factors with a new encryption key; the product may be running. A key that was generated into DATA_DIR is replaced by itself.
Where ENCRYPTION_KEY is set, set it to a new key and ENCRYPTION_KEY_PREVIOUS to the former one for all processes, then run this.
`;

/**
 * Answers what to print. Whenever it is killed, everything stays readable, and the next run goes on.
 * @throws UsageError, NothingDone, ConfigError, AppError, EmbeddedPostgresError
 */
export async function rotateKeys(args: string[], environment: NodeJS.ProcessEnv): Promise<string> {
  if (['help', '--help', '-h'].includes(args[0] ?? '')) return USAGE;
  if (args.length > 0) throw new UsageError('Too many words.');
  const config = readConfig(environment);
  const opened = await openDatabase(config, { needs: 'current' });
  const holder = new pg.Client({ connectionString: opened.connectionString, application_name: 'interviews rotation' });
  try {
    await holder.connect();
    // For as long as this connection lives: nobody seals with a key that is just being replaced.
    await holder.query('SELECT pg_advisory_lock($1)', [ROTATION_LOCK]);
    return config.ENCRYPTION_KEY ? await toConfiguredKey(config, opened.db) : await toGeneratedKey(config, opened.db);
  } finally {
    await holder.end();
    await opened.close();
  }
}

async function toConfiguredKey(config: Config, db: Database): Promise<string> {
  const keys = findEncryptionKeys(config);
  if (keys.length < 2) {
    throw new NothingDone(
      `Nothing was changed. Set these for all processes and start them again, then run this once more:

  ENCRYPTION_KEY=${randomBytes(32).toString('hex')}
  ENCRYPTION_KEY_PREVIOUS=<what ENCRYPTION_KEY is now>`,
    );
  }
  const resealed = await resealAll(db, keys);
  return `${outcome(resealed, keys)}\nENCRYPTION_KEY_PREVIOUS is no longer needed. Keep it for as long as you keep backups made before.`;
}

/** Both keys are in their files, and can be read by everyone, from before the first row is sealed anew until after the last. */
async function toGeneratedKey(config: Config, db: Database): Promise<string> {
  const { DATA_DIR } = config;
  await readSecrets(config);
  const next = Buffer.from(await prepareNextKey(DATA_DIR), 'hex');
  const [current = next] = findEncryptionKeys(config);
  const keys = [next, current];
  const resealed = await resealAll(db, keys);
  const old = await retireCurrentKey(DATA_DIR, keyId(current).toString('hex'));
  return `${outcome(resealed, keys)}\nThe former key is ${old}: delete it once you keep no backup that was made before.`;
}

/** One transaction. @throws NothingDone when the marks of erased candidates cannot be read: they would be lost with the key */
function resealAll(db: Database, keys: readonly Buffer[]) {
  const sealer = new Sealer(() => keys);
  return db.transaction().execute(async (tx) => {
    const resealed = { apiKeys: await resealApiKeys(tx, sealer), factors: await resealSecondFactors(tx, sealer) };
    if (await new Tombstones(sealer).reseal(tx)) return resealed;
    throw new NothingDone(
      'Which candidates were erased is sealed with a key that is neither of these. Set ENCRYPTION_KEY_PREVIOUS to that one. Nothing was changed.',
    );
  });
}

function outcome({ apiKeys, factors }: Awaited<ReturnType<typeof resealAll>>, [key]: readonly Buffer[]): string {
  const id = key ? keyId(key).toString('hex') : '';
  const { count } = apiKeys;
  const lost = [
    ...apiKeys.unreadable.map(
      (name) => `The API key of the funnel "${name}" cannot be read with any key: enter it again.`,
    ),
    ...factors.unreadable.map(
      (name) =>
        `The second factor of ${name} cannot be read with any key: npm run user -- reset-second-factor "${name}"`,
    ),
  ];
  const also = ['', '\nSo is 1 second factor.'][factors.count] ?? `\nSo are ${factors.count} second factors.`;
  const said = `${count} API ${count === 1 ? 'key is' : 'keys are'} sealed with the key ${id}.${also}`;
  return [said, ...lost].join('\n');
}
