import { pino } from 'pino';
import { getUser } from '#contracts/session.ts';
import { connect } from '#server/db/database.ts';
import { Logs } from '#server/features/logs/logs.service.ts';
import { sessionRoutes } from '#server/features/session/session.routes.ts';
import { Sessions, seedFirstAccount } from '#server/features/session/session.service.ts';
import { type App, buildApp } from '#server/http/app.ts';
import { route } from '#server/http/route.ts';
import { type LiveBus, openLiveBus } from '#server/live/bus.ts';
import { Sealer } from '#server/secrets/sealer.ts';

/** Sent to the measuring process. */
export interface ServerReady {
  port: number;
  /** An app whose bus is disconnected, so each request queries the database. */
  uncachedPort: number;
  cookie: string;
  /** Path of the handler on an open route. */
  unguardedPath: string;
}

export interface CpuSpent {
  cpuMs: number;
}

const UNGUARDED_PATH = '/bench/unguarded';

const [, , connectionString = ''] = process.argv;
const log = pino({ level: 'silent' });
const connection = connect(connectionString, 12, () => {});
const { db } = connection;
const bus = openLiveBus(connectionString, log);
await bus.opened;
const logs = new Logs(db, 365);
const config = { ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: 'admin123', SECOND_FACTOR: 'optional' as const };
const sealer = new Sealer(() => []);
const secret = Buffer.from('a secret of the benchmark');

async function start(liveBus: LiveBus): Promise<App> {
  await seedFirstAccount({ db, logs, log, config });
  const sessions = new Sessions({ db, bus: liveBus, logs, log, config, secret, sealer });
  const app = await buildApp({ log, trustProxy: false, sessions });
  sessionRoutes(app, sessions);
  route(app, { ...getUser, path: UNGUARDED_PATH, open: true }, () => ({ id: 1, username: 'admin' }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  return app;
}

const portOf = (app: App) => (app.server.address() as { port: number }).port;

const app = await start(bus);
const uncached = await start({ ...bus, connected: false });
const signedIn = await app.inject({
  method: 'POST',
  url: '/api/login',
  payload: { username: 'admin', password: 'admin123' },
});
const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? '';
process.send?.({
  port: portOf(app),
  uncachedPort: portOf(uncached),
  cookie,
  unguardedPath: UNGUARDED_PATH,
} satisfies ServerReady);

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1_000 } satisfies CpuSpent);
});
process.on('disconnect', () => process.exit());
