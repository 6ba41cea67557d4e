import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createEvents } from '#server/compose-events.ts';
import { connect, type Database } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import { Accounts } from '#server/features/session/accounts/accounts.service.ts';
import { apiTokenRoutes } from '#server/features/session/api-tokens/api-tokens.routes.ts';
import { ApiTokens } from '#server/features/session/api-tokens/api-tokens.service.ts';
import { sessionRoutes } from '#server/features/session/session.routes.ts';
import { Sessions, seedFirstAccount } from '#server/features/session/session.service.ts';
import { keyedHash } from '#server/features/session/sessions/session-token.ts';
import { openSignIn, type SignInService } from '#server/features/session/sign-in.service.ts';
import { type App, buildApp } from '#server/http/app.ts';
import { announce } from '#server/live/announce.ts';
import { LiveBus } from '#server/live/bus.ts';
import type { Log } from '#server/ports/log.ts';
import { Sealer } from '#server/secrets/sealer.ts';
import { Person } from './call.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** A clock that only moves when a test calls `pass`. */
export class TestClock {
  now = Date.UTC(2026, 6, 1, 9);
  readonly read = () => this.now;

  pass(ms: number): void {
    this.now += ms;
  }
}

/**
 * A process of the product with only sessions and API tokens, behind a proxy that forwards
 * addresses and protocols.
 */
export interface SessionApp {
  app: App;
  db: Database;
  bus: LiveBus;
  sessions: Sessions;
  signIn: SignInService;
  apiTokens: ApiTokens;
  accounts: Accounts;
  clock: TestClock;
  database: TestDatabase;
  anonymous(): Person;
  stop(): Promise<void>;
}

interface Options {
  /** An earlier app whose database and clock are shared: a second process or a restart. */
  beside?: Pick<SessionApp, 'database' | 'clock'>;
  admin?: { username: string; password: string };
  /** Without a proxy, forwarded headers are ignored. */
  trustProxy?: boolean;
  secondFactor?: 'optional' | 'required';
  /** Other machines can connect. */
  isReachable?: boolean;
  /** Receives each warning of the process log, as a JSON line. */
  onWarning?: (line: string) => void;
}

export async function startSessionApp({
  beside,
  admin,
  trustProxy = true,
  secondFactor = 'optional',
  isReachable = false,
  onWarning,
}: Options = {}): Promise<SessionApp> {
  const database = beside?.database ?? (await createTestDatabase());
  const clock = beside?.clock ?? new TestClock();
  const log = onWarning ? pino({ level: 'warn' }, { write: onWarning }) : pino({ level: 'silent' });
  const connection = connect(database.applicationUrl, 6, () => {});
  const { db } = connection;
  const bus = new LiveBus(database.applicationUrl, log);
  await bus.opened;
  const events = createEvents();
  await seedFirstAccount({
    ...{ db, events, log },
    config: { ADMIN_USERNAME: admin?.username ?? 'admin', ADMIN_PASSWORD: admin?.password ?? 'admin123' },
  });
  const features = openFeatures({ db, bus, events, log, clock: clock.read }, { secondFactor, isReachable });
  const { sessions, signIn, apiTokens } = features;
  const app = await buildApp({ log, trustProxy, sessions, apiTokens });
  sessionRoutes(app, sessions, signIn);
  apiTokenRoutes(app, apiTokens);
  await app.ready();

  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= app
      .close()
      .then(() => bus.close())
      .then(() => connection.close());
    return stopped;
  };
  onTestFinished(async () => {
    await stop();
    if (!beside) await database.drop();
  });
  return { app, db, bus, ...features, clock, database, anonymous: () => new Person(app), stop };
}

type FeatureDeps = Pick<SessionApp, 'db' | 'bus'> & { events: Events; log: Log; clock: () => number };

function openFeatures(deps: FeatureDeps, options: Required<Pick<Options, 'secondFactor' | 'isReachable'>>) {
  const [hash, sealer] = [keyedHash(SECRET), new Sealer(() => [KEY])];
  const sessions = new Sessions({ ...deps, hash });
  const signIn = openSignIn({
    ...{ ...deps, sessions, hash, sealer, isReachable: options.isReachable, breachedPasswords: null },
    isFactorRequired: options.secondFactor === 'required',
  });
  const apiTokens = new ApiTokens({ ...deps, perMinute: API_TOKEN_RATE });
  return { sessions, signIn, apiTokens, accounts: new Accounts(deps.db, deps.events) };
}

/** Requests of an API token per minute. */
export const API_TOKEN_RATE = 20;

/** All processes of an installation share these. */
const KEY = Buffer.alloc(32, 'k');
const SECRET = Buffer.from('a secret of the tests');

/**
 * Resolves when this process has received every announcement made before this call, by any process.
 * PostgreSQL delivers announcements in commit order (manual, NOTIFY), so it is enough to wait for a
 * new one.
 */
export async function announcementsReceived({ bus, db }: Pick<SessionApp, 'bus' | 'db'>): Promise<void> {
  const id = randomUUID();
  const received = new Promise<void>((resolve) => bus.on('log', (receivedId) => receivedId === id && resolve()));
  await announce(db, 'log', id);
  await received;
}
