import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { compose, type Product } from './compose.ts';
import { createEvents } from './compose-events.ts';
import { cleartextSettings } from './config/cleartext.ts';
import { type Config, ConfigError, readConfig } from './config/config.ts';
import { describeConnections } from './config/connections.ts';
import { misspelledVariables } from './config/misspelled.ts';
import { readSecrets, type Secrets } from './config/secrets.ts';
import { unfinishedSettings } from './config/unfinished.ts';
import { connect } from './db/database.ts';
import { EmbeddedPostgresError } from './db/embedded/embedded-postgres-error.ts';
import { startEmbeddedPostgres } from './db/embedded/start-embedded-postgres.ts';
import { explainError } from './db/explain-error.ts';
import { recordRelease } from './features/operations/releases.service.ts';
import { ListenError, listen } from './http/listen.ts';
import { createLog } from './log.ts';
import { RELEASE } from './release.ts';
import { setUpDatabase } from './set-up-database.ts';
import { waitForSetUp } from './wait-for-set-up.ts';

const WEB_FOLDER = fileURLToPath(new URL('../../dist/web', import.meta.url));
/** After SHUTDOWN_DELAY_S, the process exits within this time even when something does not stop. */
const STOP_TIMEOUT_MS = 14_000;

type Database = Awaited<ReturnType<typeof startEmbeddedPostgres>>;

/** The server process: starts the database and the product, and stops both on a signal. */
class Server {
  readonly #config: Config;
  readonly #secrets: Secrets;
  readonly #log: Logger;
  #database: Promise<Database> | null = null;
  #product: Product | null = null;
  #isStopping = false;

  constructor(config: Config, secrets: Secrets, log: Logger) {
    this.#config = config;
    this.#secrets = secrets;
    this.#log = log;
  }

  async start(): Promise<void> {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void this.#stop(signal, 0));
    // The channel to the launcher closes only when the launcher was killed: otherwise it waits
    // for us.
    process.on('disconnect', () => void this.#stop('the launcher was killed', 0));
    this.#log.info({ release: RELEASE }, 'starting');
    try {
      await this.#startProduct();
    } catch (error) {
      // A stop during the start makes it fail: that is expected.
      if (this.#isStopping) return;
      printError(error);
      await this.#stop('the start failed', 1);
    }
  }

  async #startProduct(): Promise<void> {
    const config = this.#config;
    const { DATABASE_URL, DATA_DIR: dataDir, DATABASE_POOL_SIZE: poolSize, PORT: port, HOST: host } = config;
    if (!DATABASE_URL) this.#database = startEmbeddedPostgres({ dataDir, log: this.#log, poolSize });
    const embedded = await this.#database;
    const connectionString = DATABASE_URL ?? embedded?.applicationUrl ?? '';
    const ownerConnectionString = config.DATABASE_OWNER_URL ?? config.DATABASE_DIRECT_URL ?? embedded?.ownerUrl;
    if (config.MIGRATE === 'only') {
      await this.#migrateOnly(connectionString, ownerConnectionString);
      return this.#stop('the database is migrated', 0);
    }
    if (config.MIGRATE === 'wait') {
      await waitForSetUp(connectionString, { print: (line) => void process.stdout.write(`${line}\n`) });
      return this.#stop('the database is migrated', 0);
    }
    const product = await compose(config, {
      connectionString,
      directConnectionString: config.DATABASE_DIRECT_URL,
      ownerConnectionString,
      hasExclusiveDatabase: this.#database !== null,
      secrets: this.#secrets,
      log: this.#log,
      webFolder: WEB_FOLDER,
    });
    this.#product = product;
    await listen(product.app, { port, host });
    const { warning } = await product.start();
    announceReady(config, product);
    if (warning) process.stderr.write(`WARNING: ${warning}\n\n`);
  }

  async #migrateOnly(connectionString: string, ownerConnectionString = connectionString): Promise<void> {
    await using connection = connect(connectionString, 1, () => {});
    const report = (line: string) => void process.stdout.write(`${line}\n`);
    const applied = await setUpDatabase(ownerConnectionString, connection.pool, report);
    const { db } = connection;
    await recordRelease({ db, events: createEvents(), log: this.#log });
    const done = applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'Nothing to do.';
    process.stdout.write(`${done} The database is up to date for release ${RELEASE}.\n`);
  }

  async #stop(reason: string, exitCode: number): Promise<void> {
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.#log.info(`stopping: ${reason}`);
    const delayMs = this.#product && exitCode === 0 ? this.#config.SHUTDOWN_DELAY_S * 1_000 : 0;
    setTimeout(() => process.exit(exitCode || 1), delayMs + STOP_TIMEOUT_MS).unref();
    this.#product?.announceStop();
    if (delayMs > 0) await sleep(delayMs);
    await this.#product?.stop().catch((error) => this.#log.error({ err: error }, 'the product did not stop cleanly'));
    // A database that is still starting must be stopped too: its processes would outlive this
    // one.
    const database = await this.#database?.catch(() => null);
    await database?.stop().catch((error) => this.#log.error({ err: error }, 'the database did not stop cleanly'));
    process.exit(exitCode);
  }
}

function announceReady(config: Config, { app }: Product): void {
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : config.PORT;
  const host = ['0.0.0.0', '::'].includes(config.HOST) ? 'localhost' : config.HOST;
  if (config.ROLES.includes('web')) {
    process.stdout.write(`\nVideo Interview Management ${RELEASE} is ready at http://${host}:${port}\n\n`);
    process.stdout.write(`${describeConnections(config)}\n\n`);
  } else
    process.stdout.write(`\nA worker (${RELEASE}) is running. Monitors reach it at http://${host}:${port}/readyz\n\n`);
  // Without a callback, a launcher that was killed just now would end this process before it has
  // stopped the database.
  process.send?.({ ready: true, port }, undefined, undefined, () => {});
}

/** Prints to the console, so that the user sees it with every LOG_LEVEL. */
function printError(error: unknown): void {
  process.stderr.write(`${explainError(error, [ConfigError, EmbeddedPostgresError, ListenError])}\n`);
}

try {
  const config = readConfig();
  const log = createLog(config.LOG_LEVEL).child({ roles: config.ROLES.join(',') });
  for (const message of [...unfinishedSettings(config), ...cleartextSettings(config)]) log.warn(message);
  for (const message of misspelledVariables()) {
    log.warn(message);
    process.stderr.write(`WARNING: ${message}\n`);
  }
  await new Server(config, await readSecrets(config), log).start();
} catch (error) {
  printError(error);
  process.exit(1);
}
