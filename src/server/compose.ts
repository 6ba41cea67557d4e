import { pickAdapters } from './compose-adapters.ts';
import { composeFeatures, type Features } from './compose-features.ts';
import { type Ground, openGround, type Surroundings } from './compose-ground.ts';
import { composeHttp } from './compose-http.ts';
import type { Config } from './config/config.ts';
import { isReachable } from './config/reachable.ts';
import { seedFirstAccount } from './features/session/session.service.ts';
import type { App } from './http/app.ts';

/** The product, wired and ready to listen. */
export interface Product {
  app: App;
  /** Starts working on jobs and sweeping; call it after listening. Resolves with what whoever runs it should see at once. */
  start(): Promise<{ warning: string | null }>;
  /** Ends sockets, requests and jobs, in this order, then the connections. */
  stop(): Promise<void>;
}

const EXPIRY_MS = 60_000;
const SWEEP_MS = 60 * 60 * 1_000;
const ABANDONED_MS = 15_000;

/**
 * Wires the product together: the ground, the features on it, and how they are reached. What was opened is closed again when that fails
 * half way.
 */
export async function compose(config: Config, surroundings: Surroundings): Promise<Product> {
  const opened = new AsyncDisposableStack();
  try {
    const ground = openGround(config, surroundings, opened);
    const adapters = pickAdapters(config, surroundings.retry);
    const features = composeFeatures(config, { ground, adapters, surroundings });
    const { files } = adapters;
    // While the database answers, the rest is put together.
    const seeded = ground.ready.then(() => seedFirstAccount({ ...ground, config }));
    const composed = composeHttp(config, { ground, features, files, webFolder: surroundings.webFolder }, opened);
    const [, app] = await inOrder(seeded, composed);
    return {
      app,
      async start() {
        await startJobs(ground, features, surroundings.databaseIsOurs);
        const stopSweeping = keepTidy(ground, features);
        opened.defer(stopSweeping);
        return { warning: isReachable(config) ? await features.sessions.warnOfDefaultCredentials() : null };
      },
      stop: () => opened.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** Both, when both have ended; what went wrong with the first one matters more. */
async function inOrder<First, Second>(first: Promise<First>, second: Promise<Second>): Promise<[First, Second]> {
  await Promise.allSettled([first, second]);
  return [await first, await second];
}

/** One after the other, over the one connection that is open: opening more takes longer than waiting. */
async function startJobs({ db, bus, queue, logs }: Ground, features: Features, orphansAreDead: boolean): Promise<void> {
  const { sync, processing, removal, videoRemoval } = features;
  await sync.endAbandoned();
  await processing.endAbandoned();
  await logs.write(db, { type: 'system', action: 'start', status: 'info', summary: 'The server was started.' });
  await queue.start([sync.job, removal.job, videoRemoval.job, ...processing.jobs], { bus, orphansAreDead });
  await videoRemoval.retryRefused();
}

/** Ends and removes now and then what nobody else would. Answers how to stop that. */
function keepTidy({ logs, log }: Ground, { sync, processing, sessions }: Features): () => void {
  const every = (ms: number, what: string, work: () => Promise<void>) =>
    setInterval(
      () => work().catch((error) => log.warn({ err: error }, `${what} failed; it is tried again`)),
      ms,
    ).unref();
  const timers = [
    every(ABANDONED_MS, 'looking for abandoned refreshes', () => sync.endAbandoned()),
    every(ABANDONED_MS, 'looking for abandoned steps', () => processing.endAbandoned()),
    every(SWEEP_MS, 'sweeping old log entries', () => logs.sweep()),
    every(EXPIRY_MS, 'ending the sessions that have run out', () => sessions.endExpired()),
    every(SWEEP_MS, 'sweeping old failures to sign in', () => sessions.sweep()),
  ];
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}
