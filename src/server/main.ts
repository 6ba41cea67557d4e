import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Product } from './compose.ts';
import { unfinishedSettings } from './config/combinations.ts';
import { type Config, readConfig } from './config/config.ts';
import { ConfigError } from './config/config-error.ts';
import { readSecrets } from './config/secrets.ts';
import { EmbeddedPostgresError, explainRefusal } from './db/embedded/embedded-postgres-error.ts';
import { startEmbeddedPostgres } from './db/embedded/start-embedded-postgres.ts';
import { ListenError, listen } from './http/listen.ts';
import { createLog } from './log.ts';
import { wordsOf } from './words-of.ts';

const WEB_FOLDER = fileURLToPath(new URL('../../dist/web', import.meta.url));
/** Nothing may keep the process longer than this after a signal. */
const STOP_LIMIT_MS = 14_000;

/** The process: read the configuration, start the database, compose, listen, and stop in the reverse order on a signal. */
async function main(): Promise<void> {
  const config = readConfig();
  const log = createLog(config.LOG_LEVEL);
  for (const sentence of unfinishedSettings(config)) log.warn(sentence);
  const secrets = await readSecrets(config);

  // Loading keeps this process busy for longer than the database takes to start, so that one must be on its way before.
  const whileStarting = () => void loadRest().catch(() => {});
  const embedded = config.DATABASE_URL
    ? null
    : startEmbeddedPostgres({
        dataDir: config.DATA_DIR,
        log,
        poolSize: config.DATABASE_POOL_SIZE,
        whileStarting,
      });
  let product: Product | null = null;
  let stopping = false;
  const stop = async (why: string, exitCode: number) => {
    if (stopping) return;
    stopping = true;
    log.info(`stopping: ${why}`);
    setTimeout(() => process.exit(exitCode || 1), STOP_LIMIT_MS).unref();
    await product?.stop().catch((error) => log.error({ err: error }, 'stopping was not clean'));
    // Also one that is just being started: nobody else would stop it.
    const server = await embedded?.catch(() => null);
    await server?.stop().catch((error) => log.error({ err: error }, 'the database did not stop cleanly'));
    process.exit(exitCode);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop(signal, 0));
  // Of the channel to the launcher, where there is one; a launcher that ends in order waits for us.
  process.on('disconnect', () => void stop('the launcher was killed', 0));

  try {
    const connectionString = config.DATABASE_URL ?? (await embedded)?.connectionString ?? '';
    const { compose } = await loadRest();
    product = await compose(config, {
      connectionString,
      databaseIsOurs: embedded !== null,
      secrets,
      log,
      webFolder: WEB_FOLDER,
    });
    await listen(product.app, { port: config.PORT, host: config.HOST });
    const { warning } = await product.start();
    announceReady(config, product);
    if (warning) process.stderr.write(`WARNING: ${warning}\n\n`);
  } catch (error) {
    // What was asked to stop while it started lacks what has stopped already.
    if (stopping) return;
    // Whatever LOG_LEVEL says: whoever started it has to hear of it.
    complain(embedded ? explainRefusal(error, config.DATA_DIR) : error);
    await stop('it could not start', 1);
  }
}

/** In parts: between them it is seen that the database is ready, and that a signal came. */
async function loadRest() {
  await import('./http/app.ts');
  await turn();
  await import('./jobs/queue.ts');
  await turn();
  return import('./compose.ts');
}

function announceReady(config: Config, { app }: Product): void {
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : config.PORT;
  const host = ['0.0.0.0', '::'].includes(config.HOST) ? 'localhost' : config.HOST;
  process.stdout.write(`\nVideo Interview Management is ready at http://${host}:${port}\n\n`);
  process.send?.({ ready: true, port });
}

function complain(error: unknown): void {
  process.stderr.write(`${wordsOf(error, [ConfigError, EmbeddedPostgresError, ListenError])}\n`);
}

main().catch((error: unknown) => {
  complain(error);
  process.exit(1);
});
