import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { activateFunnel, createFunnel, type FunnelForm } from '#contracts/funnels.ts';
import { login } from '#contracts/session.ts';
import { getSyncStatus, type RefreshStatus } from '#contracts/sync.ts';
import { compose, type Product } from '#server/compose.ts';
import type { ComposeOptions, Paces } from '#server/compose-infrastructure.ts';
import { type Config, readConfig } from '#server/config/config.ts';
import { findEncryptionKeys } from '#server/config/secrets.ts';
import { connect } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';
import type { PushRetry } from '#server/features/ats-pushes/push-retry.ts';
import { DELIVERY_RETRY } from '#server/features/outgoing-webhooks/retry-plan.ts';
import type { App } from '#server/http/app.ts';
import type { InterviewSource } from '#server/ports/interview-source.ts';
import { Person } from './call.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { until } from './until.ts';

export interface TestApp {
  app: App;
  /**
   * As the owner: prepares data that no endpoint creates, and inspects what an endpoint left
   * behind.
   */
  db: Kysely<DB>;
  database: TestDatabase;
  dataDir: string;
  /** The variables of a command that runs next to the product. */
  environment: Record<string, string>;
  /** The output of the console below its first lines. */
  warning: string | null;
  /** Opens a browser without a session. */
  anonymous(): Person;
  signedIn(username?: string, password?: string): Promise<Person>;
  build: {
    funnel(recruiter: Person, form?: Partial<FunnelForm>): Promise<number>;
    activeFunnel(recruiter: Person, form?: Partial<FunnelForm>): Promise<number>;
  };
  /** Waits for the running refresh to end and resolves with its status. */
  refreshEnded(recruiter: Person): Promise<RefreshStatus>;
  /** Stops the product; the database and the files stay for another one. */
  stop(): Promise<void>;
}

interface Options {
  /** Environment variables in addition to the test's own. */
  env?: Record<string, string>;
  /** The database of another product, to start a second process on the same data. */
  database?: TestDatabase;
  dataDir?: string;
  /** The folder of built pages. Without it, only the API is served. */
  webFolder?: string;
  /** False for one of several processes on one database. */
  isAlone?: boolean;
  /** Override the paces of tests. */
  paces?: Partial<Paces>;
  /** Changes the responses of the interview service. */
  changeSource?: (source: InterviewSource) => InterviewSource;
  /** False keeps jobs waiting in the queue. */
  jobs?: boolean;
  /** Receives the cleanup; by default it runs when the test ends. */
  onFinished?: (clear: () => Promise<void>) => void;
}

/**
 * Starts the whole product on a new database, without listening on a port. It is cleaned up when
 * the test ends.
 */
export async function startApp(options: Options = {}): Promise<TestApp> {
  const database = options.database ?? (await createTestDatabase());
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'interviews-app-')));
  const environment = {
    DATA_DIR: dataDir,
    DATABASE_URL: database.applicationUrl,
    DATABASE_OWNER_URL: database.url,
    DATABASE_POOL_SIZE: '3',
    ENCRYPTION_KEY: KEY.toString('hex'),
    // Its default is on the internet.
    HIREFLIX_URL: 'http://127.0.0.1:9',
    ...options.env,
  };
  const config = readConfig(environment);
  const product = await compose(config, composeOptions(config, options));
  const observer = connect(database.url, 3, () => {});
  await product.app.ready();
  const { warning } = options.jobs === false ? { warning: null } : await product.start();

  const stop = once(() => product.stop());
  (options.onFinished ?? onTestFinished)(async () => {
    await stop();
    await observer.close();
    if (options.database) return;
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const { app } = product;
  const observed = { app, db: observer.db, database, dataDir, environment, warning, stop };
  return { ...people(product, config.ADMIN_PASSWORD), ...observed };
}

/** Starts a product for all tests of a file. `beforeAll` returns `clear`, which removes it. */
export async function startSharedApp(options: Omit<Options, 'onFinished'> = {}) {
  let clear = async () => {};
  const product = await startApp({
    ...options,
    onFinished: (work) => {
      clear = work;
    },
  });
  return { product, clear: () => clear() };
}

/** As `PUSH_RETRY`, a hundred times faster. */
const TEST_PUSH_RETRY: PushRetry = {
  delaysMs: [50, 250, 450, 2_250],
  parkMs: 18_000,
  repeatAfterMs: [750, 750, 750, 3_000, 18_000],
  giveUpMs: 864_000,
  checkTimeoutMs: 5_000,
};

const composeOptions = (config: Config, options: Options): ComposeOptions => ({
  connectionString: config.DATABASE_URL ?? '',
  directConnectionString: config.DATABASE_DIRECT_URL,
  ownerConnectionString: config.DATABASE_OWNER_URL,
  hasExclusiveDatabase: options.isAlone ?? true,
  secrets: { encryptionKeys: () => findEncryptionKeys(config), sessionSecret: SESSION_SECRET },
  log: pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }),
  webFolder: options.webFolder ?? join(config.DATA_DIR, 'no-web'),
  ...(options.changeSource && { changeSource: options.changeSource }),
  retry: { tries: 4, firstDelayMs: 1, maxDelayMs: 20 },
  paces: {
    mailRetry: { firstDelayMs: 50, maxDelayMs: 200, maxRejectedDelayMs: 400, giveUpMs: 60_000 },
    deliveryRetry: { ...DELIVERY_RETRY, firstDelayMs: 50, maxDelayMs: 200, giveUpMs: 60_000, maxBrakeMs: 200 },
    pushRetry: TEST_PUSH_RETRY,
    stepRetry: { tries: 3, firstDelayMs: 10, maxDelayMs: 50 },
    folderPace: { intervalMs: 50, stableMs: 1_000 },
    publishPace: { pollMs: 10, pollForMs: 60_000, laterMs: 100 },
    ...options.paces,
  },
});

/** All tests share a key, so that a second product can decrypt the data of the first one. */
const KEY = randomBytes(32);
export const SESSION_SECRET = KEY;

function people(
  { app }: Product,
  adminPassword: string,
): Pick<TestApp, 'anonymous' | 'signedIn' | 'build' | 'refreshEnded'> {
  const funnel = async (recruiter: Person, form: Partial<FunnelForm> = {}) => {
    const body = { name: 'Frontend engineers', apiKey: 'key', funnelId: 'frontend', ...form };
    return (await recruiter.call(createFunnel, { body })).id;
  };
  return {
    anonymous: () => new Person(app),
    async signedIn(username = 'admin', password = adminPassword) {
      const person = new Person(app);
      await person.call(login, { body: { username, password } });
      return person;
    },
    build: {
      funnel,
      async activeFunnel(recruiter, form) {
        const id = await funnel(recruiter, form);
        await recruiter.call(activateFunnel, { params: { id } });
        return id;
      },
    },
    refreshEnded: (recruiter) =>
      until('the refresh ends', async () => {
        const status = await recruiter.call(getSyncStatus, {});
        return status.inProgress ? null : status;
      }),
  };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
