import { randomBytes } from 'node:crypto';
import type { EventData } from '#contracts/events.ts';
import { createEvents } from '#server/compose-events.ts';
import { type Config, readConfig } from '#server/config/config.ts';
import { findEncryptionKeys, prepareNextKey, readSecrets, retireCurrentKey } from '#server/config/secrets.ts';
import { ROTATION_LOCK } from '#server/db/advisory-locks.ts';
import { openClient } from '#server/db/client.ts';
import type { Database } from '#server/db/database.ts';
import { resealSignIns } from '#server/features/ats/ats-connection.service.ts';
import { ErasureList } from '#server/features/erasure/erasure-list.service.ts';
import { Tombstones } from '#server/features/erasure/tombstones.service.ts';
import { resealApiKeys } from '#server/features/funnels/api-key-vault.ts';
import { resealMails } from '#server/features/mail/mail.service.ts';
import { resealOutgoingWebhooks } from '#server/features/outgoing-webhooks/webhook-secrets.ts';
import { resealSecondFactors } from '#server/features/session/second-factor/sealed-secrets.ts';
import { resealWebhooks } from '#server/features/webhooks/webhook-secrets.ts';
import { keyId, Sealer } from '#server/secrets/sealer.ts';
import { type Command, type CommandContext, CommandError, parseArguments } from './command.ts';
import { plural } from './export-candidate.ts';
import { openDatabase } from './open-database.ts';

const USAGE = `Usage:
  npm run keys:rotate

Encrypts all API keys, second factors, addresses and secrets of webhooks in both directions, links
of waiting mails, and the sign-in at the applicant tracking system with a new encryption key. The server may be running. A key generated into DATA_DIR is replaced automatically.
If ENCRYPTION_KEY is set, set it to a new key and ENCRYPTION_KEY_PREVIOUS to the former one for all
processes, then run this.
`;

export const rotateKeysCommand: Command = { usage: USAGE, run: rotateKeys };

/** Safe to kill at any time: everything stays readable, and the next run continues. */
async function rotateKeys(args: string[], { environment }: CommandContext): Promise<string> {
  parseArguments(args, {});
  const config = readConfig(environment);
  await using opened = await openDatabase(config, { needs: 'current' });
  await using holder = await openClient(opened.connectionString, 'rotation');
  // The lock is held until this connection closes, so nothing is encrypted with a key that is
  // being replaced.
  await holder.query('SELECT pg_advisory_lock($1)', [ROTATION_LOCK]);
  return config.ENCRYPTION_KEY
    ? await rotateConfiguredKey(config, opened.db)
    : await rotateGeneratedKey(config, opened.db);
}

async function rotateConfiguredKey(config: Config, db: Database): Promise<string> {
  const keys = findEncryptionKeys(config);
  if (keys.length < 2) {
    throw new CommandError(
      `Nothing was changed. Set these for all processes, restart them, then run this again:

  ENCRYPTION_KEY=${randomBytes(32).toString('hex')}
  ENCRYPTION_KEY_PREVIOUS=<the current ENCRYPTION_KEY>`,
    );
  }
  const resealed = await resealAll(db, keys, config);
  return `${describeResult(resealed, keys)}\nENCRYPTION_KEY_PREVIOUS is no longer needed. Keep that key as long as you keep earlier backups.`;
}

/**
 * Both keys are in their files, readable by every process, before the first row changes and until
 * after the last.
 */
async function rotateGeneratedKey(config: Config, db: Database): Promise<string> {
  const { DATA_DIR } = config;
  await readSecrets(config);
  const next = Buffer.from(await prepareNextKey(DATA_DIR), 'hex');
  const [current = next] = findEncryptionKeys(config);
  const keys = [next, current];
  const resealed = await resealAll(db, keys, config);
  const old = await retireCurrentKey(DATA_DIR, keyId(current).toString('hex'));
  return `${describeResult(resealed, keys)}\nThe former key is in ${old}. Delete it when you no longer keep earlier backups.`;
}

/**
 * One transaction.
 * @throws CommandError, AppError when the marks of erased candidates, or the list of them, cannot
 * be read: they would be lost with the key
 */
function resealAll(db: Database, keys: readonly Buffer[], config: Config) {
  const sealer = new Sealer(() => keys);
  const list = new ErasureList(sealer, config.DATA_DIR);
  return db.transaction().execute(async (tx) => {
    const resealed = { apiKeys: await resealApiKeys(tx, sealer), factors: await resealSecondFactors(tx, sealer) };
    await resealWebhooks(tx, sealer);
    await resealMails(tx, sealer);
    await resealSignIns(tx, sealer);
    await resealOutgoingWebhooks(tx, sealer);
    const erasures = await list.read();
    if (await new Tombstones(sealer).reseal(tx)) {
      await createEvents().record(tx, 'keys.rotated', rotationOf(keys, resealed));
      if (erasures) await list.write(erasures);
      return resealed;
    }
    throw new CommandError(
      'The marks of erased candidates are encrypted with another key. Set ENCRYPTION_KEY_PREVIOUS to that key. Nothing was changed.',
    );
  });
}

interface Resealed {
  apiKeys: Awaited<ReturnType<typeof resealApiKeys>>;
  factors: Awaited<ReturnType<typeof resealSecondFactors>>;
}

const rotationOf = ([key]: readonly Buffer[], { apiKeys, factors }: Resealed): EventData<'keys.rotated'> => ({
  key: key ? keyId(key).toString('hex') : null,
  apiKeys: apiKeys.count,
  secondFactors: factors.count,
  unreadable: apiKeys.unreadable.length + factors.unreadable.length,
});

function describeResult({ apiKeys, factors }: Resealed, [key]: readonly Buffer[]): string {
  const id = key ? keyId(key).toString('hex') : '';
  return [
    `Encrypted ${plural(apiKeys.count, 'API key')} and ${plural(factors.count, 'second factor')} with the key ${id}.`,
    ...apiKeys.unreadable.map((name) => `No key decrypts the API key of the funnel "${name}". Enter it again.`),
    ...factors.unreadable.map(
      (name) => `No key decrypts the second factor of ${name}. Run: npm run user -- reset-second-factor "${name}"`,
    ),
  ].join('\n');
}
