import { X509Certificate } from 'node:crypto';
import { constants, existsSync, readFileSync } from 'node:fs';
import { access, mkdtemp, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { findMailProblem, findServiceProblems, pickFileScanner, pickFileStore } from '#server/compose-adapters.ts';
import { composeAts, describeAts } from '#server/compose-ats.ts';
import { createEvents } from '#server/compose-events.ts';
import { cleartextSettings } from '#server/config/cleartext.ts';
import { type Config, isReachable, readConfig } from '#server/config/config.ts';
import { configuredServices, describeConnections } from '#server/config/connections.ts';
import { describeConfig } from '#server/config/described-config.ts';
import { misspelledVariables } from '#server/config/misspelled.ts';
import { findEncryptionKeys, findSessionSecret } from '#server/config/secrets.ts';
import { unfinishedSettings } from '#server/config/unfinished.ts';
import { openClient } from '#server/db/client.ts';
import type { Database } from '#server/db/database.ts';
import { findCluster } from '#server/db/embedded/cluster.ts';
import { explainDatabaseError } from '#server/db/explain-error.ts';
import { missingMigrations } from '#server/db/migrate.ts';
import { Accounts } from '#server/features/session/accounts/accounts.service.ts';
import { isFirstPasswordDefault, weaknessOfFirstPassword } from '#server/features/session/session.service.ts';
import { findFolderProblem } from '#server/features/uploads/folder-problem.ts';
import { findListenProblem } from '#server/http/listen.ts';
import { Sealer } from '#server/secrets/sealer.ts';
import { findAccounts } from '#server/set-up-database.ts';
import { type Command, type CommandContext, CommandError, parseArguments } from './command.ts';
import { openDatabase } from './open-database.ts';

const USAGE = `Usage:
  npm run check:config

Prints every variable with its value and its source, with secrets masked, and checks whether the
server can start and work with them: it asks the database and every configured service. Exits with 0
when it can, and with 1 when it cannot.
`;

const MIGRATE_FIRST = 'Run npm run migrate first, with the account that owns the database.';

interface Findings {
  good: string[];
  problems: string[];
}

function report({ good, problems }: Findings, problem: string | null, otherwise: string): void {
  if (problem === null) good.push(otherwise);
  else problems.push(problem);
}

export const checkConfigCommand: Command = { usage: USAGE, run: checkConfig };

async function checkConfig(args: string[], { environment, print }: CommandContext): Promise<string> {
  parseArguments(args, {});
  const described = describeConfig(environment);
  const width = Math.max(...described.map(({ name }) => name.length));
  for (const { name, shown, source } of described)
    print(`${name.padEnd(width)}  ${[shown, source === 'variable' ? '' : `(${source})`].filter(Boolean).join(' ')}\n`);
  print('\n');
  const config = readConfig(environment);
  const findings: Findings = {
    good: [
      'All values are valid.',
      ...misspelledVariables(environment),
      ...unfinishedSettings(config),
      ...cleartextSettings(config),
    ],
    problems: [],
  };
  checkCertificates(environment, findings);
  await checkAddress(config, findings);
  await checkDataDir(config, findings);
  checkSecrets(config, findings);
  await checkFirstPassword(config, findings);
  await checkDatabase(config, findings);
  await checkFileStore(config, findings);
  await checkUploadFolder(config, findings);
  await checkScanner(config, findings);
  await checkMail(config, findings);
  await checkServices(config, findings);
  findings.good.push(describeConnections(config));
  if (findings.problems.length === 0) return findings.good.join('\n');
  print(`${findings.good.join('\n')}\n`);
  throw new CommandError([...new Set(findings.problems)].join('\n'));
}

/** Node only warns, and the private CA is then unknown to every connection. */
function checkCertificates({ NODE_EXTRA_CA_CERTS: file }: NodeJS.ProcessEnv, { problems }: Findings): void {
  if (!file) return;
  try {
    new X509Certificate(readFileSync(file));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const reason = code.startsWith('ERR_') ? 'contains no certificate' : `cannot be read (${code})`;
    problems.push(`NODE_EXTRA_CA_CERTS is ${file}, which ${reason}. Set it to the path of a readable PEM file.`);
  }
}

async function checkAddress(config: Config, { problems }: Findings): Promise<void> {
  const problem = await findListenProblem({ port: config.PORT, host: config.HOST });
  if (problem) problems.push(problem);
}

async function checkDataDir({ DATA_DIR }: Config, { good, problems }: Findings): Promise<void> {
  const existing = nearestExisting(DATA_DIR);
  try {
    if (!(await stat(existing)).isDirectory()) throw new Error(`${existing} is not a folder`);
    if (existing === DATA_DIR) await rm(await mkdtemp(join(DATA_DIR, '.check-')), { recursive: true });
    else await access(existing, constants.W_OK);
    good.push(`DATA_DIR ${existing === DATA_DIR ? 'is writable' : 'will be created'}: ${DATA_DIR}`);
  } catch (error) {
    problems.push(
      `DATA_DIR is not writable: ${(error as Error).message}. Give this account access, or set DATA_DIR to another folder.`,
    );
  }
}

const nearestExisting = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));

/** Invalid secret files keep the server from starting, whether or not there is a database. */
function checkSecrets(config: Config, { problems }: Findings): void {
  try {
    findEncryptionKeys(config);
    findSessionSecret(config);
  } catch (error) {
    problems.push(describeError(error));
  }
}

async function checkFirstPassword(config: Config, { good, problems }: Findings): Promise<void> {
  if (!config.ROLES.includes('web')) return;
  const weakness = await weaknessOfFirstPassword(config);
  if (weakness) (isReachable(config) ? problems : good).push(weakness);
}

const describeFirstAccount = (config: Config): string[] =>
  isFirstPasswordDefault(config)
    ? [
        `The first account, ${config.ADMIN_USERNAME}, will have the default password. Set ADMIN_PASSWORD, or change the password after the first sign-in.`,
      ]
    : [];

async function checkDatabase(config: Config, findings: Findings): Promise<void> {
  const { good, problems } = findings;
  // Opening it would create it.
  if (!config.DATABASE_URL && (await findCluster(config.DATA_DIR)) === null) {
    good.push('The database will be created at the first start.', ...describeFirstAccount(config));
    return;
  }
  try {
    await using opened = await openDatabase(config, { needs: 'any' });
    const { connection, hadTables } = opened;
    await checkServer(config, connection.pool, findings);
    await checkAccounts(config, connection.pool, findings);
    await checkPooler(config, findings);
    if (hadTables) await checkContents(config, connection, findings);
    else if (config.MIGRATE === 'off') problems.push(`The database is empty, and MIGRATE is off. ${MIGRATE_FIRST}`);
    else good.push('The database is empty. The first start sets it up.', ...describeFirstAccount(config));
  } catch (error) {
    problems.push(describeError(error));
  }
}

const describeError = (error: unknown): string =>
  explainDatabaseError(error) ?? (error instanceof Error ? error.message : String(error));

/** The server starts without the bucket or the folder, but stores no files. */
async function checkFileStore(config: Config, findings: Findings): Promise<void> {
  const isLocal = config.FILE_STORE === 'local';
  // Opening the folder would create it.
  if (isLocal && !existsSync(join(config.DATA_DIR, 'files'))) return;
  const problem = await pickFileStore(config)
    .then((store) => store.probe())
    .then(() => null, describeError);
  report(
    findings,
    problem,
    isLocal ? 'Files can be stored.' : `The bucket can be read and written: ${config.S3_BUCKET}`,
  );
}

/** The server starts without the folder, but takes nothing in from it. */
async function checkUploadFolder({ UPLOAD_FOLDER, ROLES }: Config, findings: Findings): Promise<void> {
  if (UPLOAD_FOLDER === undefined || !ROLES.includes('worker')) return;
  report(findings, await findFolderProblem(UPLOAD_FOLDER), `UPLOAD_FOLDER can be read: ${UPLOAD_FOLDER}`);
}

async function checkServices(config: Config, { good, problems }: Findings): Promise<void> {
  const found = await findServiceProblems(config);
  problems.push(...found);
  if (found.length > 0) return;
  if (config.OUTGOING_PROXY) good.push('The outgoing proxy works.');
  const variables = configuredServices(config).map(({ variable }) => variable);
  if (variables.length > 0) good.push(`The configured services respond: ${variables.join(', ')}.`);
}

/** The server starts without the scanner, but stores no files. */
async function checkScanner(config: Config, { good, problems }: Findings): Promise<void> {
  const scanner = pickFileScanner(config);
  if (!scanner) return;
  try {
    await scanner.check(new AbortController().signal);
    good.push('The virus scanner responds.');
  } catch (error) {
    // The end of its message is for users whose refresh has failed.
    const problem = describeError(error).replace(/so no files were downloaded.*/, 'so no file can be stored.');
    problems.push(`${problem} Check CLAMD_ADDRESS, and that clamd is running.`);
  }
}

/** The server starts without the mail server, and sends its mails later. */
async function checkMail(config: Config, findings: Findings): Promise<void> {
  if (config.SMTP_URL) report(findings, await findMailProblem(config), 'The mail server accepts our connection.');
}

type Pool = pg.Pool;

async function checkServer(config: Config, pool: Pool, { good, problems }: Findings): Promise<void> {
  const { rows } = await pool.query<{ version: number; connections: number; clock: Date }>(
    `SELECT current_setting('server_version_num')::int / 10000 AS version,
            current_setting('max_connections')::int AS connections,
            clock_timestamp() AS clock`,
  );
  const { version = 0, connections = 0, clock = new Date() } = rows[0] ?? {};
  if (version < 15) problems.push(`The database is PostgreSQL ${version}. Version 15 or later is required.`);
  else good.push(`The database responds: PostgreSQL ${version}.`);
  good.push(...describeClock(clock));
  // The embedded server sets its limit from the pool size at its next start.
  if (config.DATABASE_URL && connections <= config.DATABASE_POOL_SIZE)
    problems.push(
      `DATABASE_POOL_SIZE is ${config.DATABASE_POOL_SIZE}, but the database accepts only ${connections} connections in total. Raise its max_connections, or lower DATABASE_POOL_SIZE.`,
    );
}

/** Codes of authenticator apps are accepted for this long before and after their time. */
const MAX_CLOCK_DIFFERENCE_S = 30;

function describeClock(clockOfDatabase: Date): string[] {
  const seconds = Math.round((Date.now() - clockOfDatabase.getTime()) / 1_000);
  if (Math.abs(seconds) <= MAX_CLOCK_DIFFERENCE_S) return [];
  return [
    `The clock of this machine is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the clock of the database. Synchronize both (NTP), or codes of authenticator apps are rejected.`,
  ];
}

async function checkAccounts(config: Config, pool: Pool, findings: Findings): Promise<void> {
  const { DATABASE_URL, DATABASE_OWNER_URL } = config;
  const { good } = findings;
  if (!DATABASE_URL) return;
  if (!DATABASE_OWNER_URL) return checkOnlyAccount(config, pool, findings);
  await using application = await openClient(DATABASE_URL, 'check');
  const accounts = await findAccounts(pool, application);
  good.push(`The product works as ${accounts.application}, and migrations and commands run as ${accounts.owner}.`);
}

/** Without DATABASE_OWNER_URL. In an empty database, the account becomes the owner. */
async function checkOnlyAccount({ MIGRATE }: Config, pool: Pool, { good, problems }: Findings): Promise<void> {
  const { rows } = await pool.query<{ role: string; owner: string | null }>(
    `SELECT current_user AS role,
            (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = to_regclass('account')) AS owner`,
  );
  const { role = '', owner = null } = rows[0] ?? {};
  const isOwner = owner === null || owner === role;
  if (MIGRATE !== 'off' && !isOwner)
    problems.push(
      `The account in DATABASE_URL cannot migrate the database, because ${owner} owns it. Set DATABASE_OWNER_URL to the address with ${owner}, or MIGRATE=off.`,
    );
  else if (MIGRATE !== 'off')
    good.push(
      'The account in DATABASE_URL also migrates the database and runs commands. Set DATABASE_OWNER_URL to limit its rights.',
    );
  else if (isOwner)
    good.push(
      `The product works as ${role}, which owns the database. MIGRATE is off, so an account without that right is enough.`,
    );
  else
    good.push(`The product works as ${role}, and commands run as it. MIGRATE is off: ${owner} migrates the database.`);
}

async function checkPooler(config: Config, { good, problems }: Findings): Promise<void> {
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_OWNER_URL'] as const)
    if (config[name] && (await isPooled(config[name])))
      problems.push(`${name} points to a pooler. Set it to the address of the database itself.`);
  if (!config.DATABASE_URL || !(await isPooled(config.DATABASE_URL))) return;
  if (config.DATABASE_DIRECT_URL)
    good.push('DATABASE_URL points to a pooler, and DATABASE_DIRECT_URL to the database.');
  else
    problems.push(
      'DATABASE_URL points to a pooler, through which live messages and locks get lost. Set DATABASE_DIRECT_URL to the address of the database itself.',
    );
  if (config.DATABASE_PREPARED === 'on')
    good.push(
      'DATABASE_PREPARED is on: queries fail if the pooler works in transaction mode without prepared statements (PgBouncer before 1.21). Set it to off then.',
    );
}

/** Whether a pooler such as PgBouncer is between this program and the database. */
async function isPooled(connectionString: string): Promise<boolean> {
  await using client = await openClient(connectionString, 'check');
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  // A pooler reports another id than the database process.
  return rows[0]?.pid !== (client as unknown as { processID: number }).processID;
}

async function checkContents(
  config: Config,
  { pool, db }: { pool: Pool; db: Database },
  findings: Findings,
): Promise<void> {
  const missing = await missingMigrations(pool);
  if (missing.length === 0) {
    await checkKeys(config, pool, findings);
    await checkBreakGlass(config, db, findings);
    await checkAts(config, db, findings);
  } else if (config.MIGRATE === 'off')
    findings.problems.push(
      `The database is from an earlier release (without ${missing.join(', ')}), and MIGRATE is off. ${MIGRATE_FIRST}`,
    );
  else
    findings.good.push(`The database is from an earlier release. The next start upgrades it (${missing.join(', ')}).`);
}

/** The server starts without the ATS, and sends nothing. */
async function checkAts(config: Config, db: Database, { good, problems }: Findings): Promise<void> {
  const sealer = new Sealer(() => findEncryptionKeys(config));
  const configured = composeAts(config, { db, sealer, events: createEvents() });
  if (!configured) return;
  const { text, isUsable } = await describeAts(configured.ats);
  (isUsable ? good : problems).push(text);
}

/** The account signs in during an outage of the provider. */
async function checkBreakGlass(
  { OIDC_BREAK_GLASS: name }: Config,
  db: Database,
  { problems }: Findings,
): Promise<void> {
  if (name === undefined) return;
  const accounts = await new Accounts(db, createEvents()).list();
  if (accounts.some(({ username }) => username.toLowerCase() === name.toLowerCase())) return;
  problems.push(`OIDC_BREAK_GLASS is ${name}, but no account has this name. Set it to an existing one.`);
}

async function checkKeys(config: Config, pool: Pool, { good, problems }: Findings): Promise<void> {
  const sealer = new Sealer(() => findEncryptionKeys(config));
  const { rows } = await pool.query<{ name: string; external_id: string; api_key_encrypted: Buffer }>(
    'SELECT name, external_id, api_key_encrypted FROM funnel ORDER BY name',
  );
  const unreadable = rows.filter((row) => sealer.open(row.api_key_encrypted, row.external_id) === null);
  if (unreadable.length === 0) good.push('All API keys can be decrypted.');
  else
    problems.push(
      `The API keys of ${unreadable.map(({ name }) => `"${name}"`).join(', ')} cannot be decrypted with this encryption key. Restore the former key, or enter them again.`,
    );
}
