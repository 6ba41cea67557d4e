import { type Adapters, pickAdapters } from './compose-adapters.ts';
import { composeFeatures, type Features } from './compose-features.ts';
import { type ComposeOptions, type Ground, openGround } from './compose-ground.ts';
import { composeHttp } from './compose-http.ts';
import type { Config } from './config/config.ts';
import { ConfigError, isReachable } from './config/config.ts';
import { seedFirstAccount, weaknessOfFirstPassword } from './features/session/session.service.ts';
import type { App } from './http/app.ts';

/** The product, wired and ready to listen. */
export interface Product {
  app: App;
  /**
   * Starts the job workers and the periodic cleanup; call it after listening. Returns a warning
   * that the administrator should see at once.
   */
  start(): Promise<{ warning: string | null }>;
  /** Closes sockets, requests and jobs, in this order, then the connections. */
  stop(): Promise<void>;
}

const EXPIRY_INTERVAL_MS = 60_000;
const SWEEP_INTERVAL_MS = 60 * 60 * 1_000;
const ABANDONED_INTERVAL_MS = 15_000;

/**
 * Wires the product: the ground, the features on it, and HTTP on top. On failure, closes what
 * it opened.
 */
export async function compose(config: Config, options: ComposeOptions): Promise<Product> {
  const opened = new AsyncDisposableStack();
  try {
    const weakness = await weaknessOfFirstPassword(config);
    if (weakness && isReachable(config)) throw new ConfigError([weakness]);
    if (weakness) options.log.warn(weakness);
    const ground = await openGround(config, options, opened);
    const adapters = await pickAdapters(config, options.retry);
    const features = composeFeatures({ config, ground, adapters, options }, opened);
    await seedFirstAccount({ db: ground.db, logs: ground.logs, log: ground.log, config });
    const app = await composeHttp(config, { ground, adapters, features, webFolder: options.webFolder }, opened);
    return {
      app,
      async start() {
        await startJobs(ground, features, options.hasExclusiveDatabase);
        opened.defer(startTimers(ground, features, adapters));
        // A store that cannot be used is reported at once.
        void features.outages.check();
        return { warning: isReachable(config) ? await features.sessions.loginHint.warnOfDefaultCredentials() : null };
      },
      stop: () => opened.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

async function startJobs(
  { db, bus, queue, logs, log }: Ground,
  features: Features,
  hasExclusiveDatabase: boolean,
): Promise<void> {
  const { sync, processing, bulk, removal, videoRemoval, candidates } = features;
  await sync.endAbandoned();
  await processing.endAbandonedSteps();
  await bulk.endAbandoned();
  await logs.write(db, { type: 'system', action: 'start', status: 'info', summary: 'The server was started.' });
  await queue.start([sync.job, bulk.job, removal.job, ...videoRemoval.jobs, ...processing.jobs], {
    bus,
    hasExclusiveDatabase,
  });
  await candidates
    .repeatErasures()
    .catch((error) => log.error({ err: error }, 'erasures could not be compared: erased candidates may be back'));
  await videoRemoval.retryRefused();
}

/** Starts the periodic cleanup. Returns a function that stops it. */
function startTimers(
  { logs, log }: Ground,
  { sync, processing, bulk, sessions, candidates, deletedInterviews }: Features,
  { files }: Pick<Adapters, 'files'>,
): () => void {
  const every = (ms: number, name: string, work: () => Promise<void>) =>
    setInterval(
      () => work().catch((error) => log.warn({ err: error }, `${name} failed; it will be retried`)),
      ms,
    ).unref();
  const timers = [
    every(ABANDONED_INTERVAL_MS, 'ending abandoned refreshes', () => sync.endAbandoned()),
    every(ABANDONED_INTERVAL_MS, 'ending abandoned steps', () => processing.endAbandonedSteps()),
    every(ABANDONED_INTERVAL_MS, 'ending abandoned bulk runs', () => bulk.endAbandoned()),
    every(SWEEP_INTERVAL_MS, 'deleting old log entries', async () => {
      await logs.deleteExpired();
      await deletedInterviews.deleteExpired();
    }),
    every(SWEEP_INTERVAL_MS, 'storing the list of erasures', () => candidates.repeatErasures()),
    every(SWEEP_INTERVAL_MS, 'removing abandoned uploads', () => files.removeAbandoned()),
    every(EXPIRY_INTERVAL_MS, 'ending expired sessions', () => sessions.endExpired()),
    every(SWEEP_INTERVAL_MS, 'deleting old sign-in failures', () => sessions.deleteOldFailures()),
  ];
  return () => timers.forEach(clearInterval);
}
