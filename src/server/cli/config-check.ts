import { constants } from 'node:fs';
import { access, mkdtemp, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pickAdapters } from '../compose-adapters.ts';
import { unfinishedSettings } from '../config/combinations.ts';
import { type Config, readConfig } from '../config/config.ts';
import { describeConfig } from '../config/described-config.ts';
import { findEncryptionKeys, findSessionSecret } from '../config/secrets.ts';
import { CROWDED_ADVICE, isDatabaseCrowded, isDatabaseDown } from '../db/database-down.ts';
import { findCluster } from '../db/embedded/cluster.ts';
import { missingMigrations } from '../db/migrate.ts';
import { Sealer } from '../secrets/sealer.ts';
import { NothingDone } from './nothing-done.ts';
import { openDatabase } from './open-database.ts';
import { UsageError } from './usage-error.ts';

export const USAGE = `Usage:
  npm run check:config

Prints every variable with its value, secrets masked, and where it comes from, and checks that the product can start with them.
Ends with 0 when it can, with 1 when it cannot.
`;

interface Asked {
  environment: NodeJS.ProcessEnv;
  print(text: string): void;
}

/** What was found to be in order, and what is not. */
interface Findings {
  good: string[];
  problems: string[];
}

/** Answers what is in order, after printing the configuration. @throws UsageError, ConfigError, NothingDone naming every problem */
export async function checkConfig(args: string[], { environment, print }: Asked): Promise<string> {
  if (['help', '--help', '-h'].includes(args[0] ?? '')) return USAGE;
  if (args.length > 0) throw new UsageError('Too many words.');
  const described = describeConfig(environment);
  const width = Math.max(...described.map(({ name }) => name.length));
  for (const { name, shown, source } of described)
    print(`${name.padEnd(width)}  ${[shown, source === 'variable' ? '' : `(${source})`].filter(Boolean).join(' ')}\n`);
  print('\n');
  const config = readConfig(environment);
  const findings: Findings = { good: ['The configuration is valid.', ...unfinishedSettings(config)], problems: [] };
  await checkDataDir(config, findings);
  checkSecrets(config, findings);
  await checkDatabase(config, findings);
  await checkScanner(config, findings);
  if (findings.problems.length === 0) return findings.good.join('\n');
  print(`${findings.good.join('\n')}\n`);
  throw new NothingDone([...new Set(findings.problems)].join('\n'));
}

async function checkDataDir({ DATA_DIR }: Config, { good, problems }: Findings): Promise<void> {
  const existing = await nearestExisting(DATA_DIR);
  try {
    if (!(await stat(existing)).isDirectory()) throw new Error(`${existing} is no folder`);
    if (existing === DATA_DIR) await rm(await mkdtemp(join(DATA_DIR, '.check-')), { recursive: true });
    else await access(existing, constants.W_OK);
    good.push(`DATA_DIR ${existing === DATA_DIR ? 'can be written' : 'will be made'}: ${DATA_DIR}`);
  } catch (error) {
    problems.push(
      `DATA_DIR cannot be written: ${(error as Error).message}. Give this account the folder, or set DATA_DIR to another.`,
    );
  }
}

/** Files that are no secrets keep the product from starting, whatever the database holds. */
function checkSecrets(config: Config, { problems }: Findings): void {
  try {
    findEncryptionKeys(config);
    findSessionSecret(config);
  } catch (error) {
    problems.push(inWords(error));
  }
}

async function nearestExisting(path: string): Promise<string> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  return isThere || dirname(path) === path ? path : nearestExisting(dirname(path));
}

async function checkDatabase(config: Config, findings: Findings): Promise<void> {
  const { good, problems } = findings;
  // Asking must not make one.
  if (!config.DATABASE_URL && (await findCluster(config.DATA_DIR)) === null) {
    good.push('The database will be made at the first start.');
    return;
  }
  try {
    const { connection, wasMade, close } = await openDatabase(config, { needs: 'any' });
    try {
      await checkServer(config, connection.pool, findings);
      if (wasMade) await checkContents(config, connection.pool, findings);
      else good.push('It is empty; the first start makes it ready.');
    } finally {
      await close();
    }
  } catch (error) {
    problems.push(inWords(error));
  }
}

function inWords(error: unknown): string {
  if (isDatabaseCrowded(error)) return CROWDED_ADVICE;
  const why = error instanceof Error ? error.message : String(error);
  return isDatabaseDown(error) ? `The database cannot be reached: ${why}. Check DATABASE_URL.` : why;
}

/** The product starts without it, and fetches no file. */
async function checkScanner(config: Config, { good }: Findings): Promise<void> {
  const { scanner } = pickAdapters(config);
  if (!scanner) return;
  const says = await scanner.check(new AbortController().signal).then(
    () => 'The virus scanner answers.',
    (error: unknown) => `${inWords(error)} Check CLAMD_ADDRESS, and whether it runs.`,
  );
  good.push(says);
}

type Pool = Parameters<typeof missingMigrations>[0];

async function checkServer(config: Config, pool: Pool, { good, problems }: Findings): Promise<void> {
  const { rows } = await pool.query<{ version: number; connections: number }>(
    `SELECT current_setting('server_version_num')::int / 10000 AS version,
            current_setting('max_connections')::int AS connections`,
  );
  const { version = 0, connections = 0 } = rows[0] ?? {};
  if (version < 15) problems.push(`The database is PostgreSQL ${version}; the product needs 15 or later.`);
  else good.push(`The database answers: PostgreSQL ${version}.`);
  // The embedded one makes the room at its next start.
  if (config.DATABASE_URL && connections <= config.DATABASE_POOL_SIZE)
    problems.push(
      `DATABASE_POOL_SIZE is ${config.DATABASE_POOL_SIZE}, and the database takes ${connections} connections of everybody together. Raise its max_connections, or lower DATABASE_POOL_SIZE.`,
    );
}

async function checkContents(config: Config, pool: Pool, findings: Findings): Promise<void> {
  const missing = await missingMigrations(pool);
  if (missing.length === 0) await checkKeys(config, pool, findings);
  else findings.good.push(`It is of an earlier release; the next start brings it forward (${missing.join(', ')}).`);
}

async function checkKeys(config: Config, pool: Pool, { good, problems }: Findings): Promise<void> {
  const sealer = new Sealer(() => findEncryptionKeys(config));
  const { rows } = await pool.query<{ name: string; external_id: string; api_key_encrypted: Buffer }>(
    'SELECT name, external_id, api_key_encrypted FROM funnel ORDER BY name',
  );
  const unreadable = rows.filter((row) => sealer.open(row.api_key_encrypted, row.external_id) === null);
  if (unreadable.length === 0) good.push('Every API key can be read.');
  else
    problems.push(
      `The API keys of ${unreadable.map(({ name }) => `"${name}"`).join(', ')} cannot be read with this encryption key. Put the former one back, or enter them again.`,
    );
}
