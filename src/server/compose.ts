import { pickAdapters } from './compose-adapters.ts';
import { composeAts } from './compose-ats.ts';
import { composeFeatures } from './compose-features.ts';
import { composeHttp } from './compose-http.ts';
import { type ComposeOptions, openInfrastructure } from './compose-infrastructure.ts';
import { startSweep, startWork } from './compose-work.ts';
import type { Config } from './config/config.ts';
import { ConfigError, isReachable } from './config/config.ts';
import { seedFirstAccount, weaknessOfFirstPassword } from './features/session/session.service.ts';
import { type App, endConnections } from './http/app.ts';
import { Sealer } from './secrets/sealer.ts';

/** The product, wired and ready to listen. */
export interface Product {
  app: App;
  /**
   * Starts what the roles of the process need besides HTTP; call it after listening. Returns a
   * warning that the administrator should see immediately.
   */
  start(): Promise<{ warning: string | null }>;
  /**
   * Makes `/readyz` return 503. Requests are still served, and each response ends its connection.
   */
  announceStop(): void;
  /** Closes sockets, requests and jobs, in this order, then the connections. */
  stop(): Promise<void>;
}

/**
 * Wires the product: the infrastructure, the features on it, and HTTP on top. On failure, closes
 * what it opened.
 */
export async function compose(config: Config, options: ComposeOptions): Promise<Product> {
  await using opened = new AsyncDisposableStack();
  const isWeb = config.ROLES.includes('web');
  if (isWeb) await checkFirstPassword(config, options.log);
  const infrastructure = await openInfrastructure(config, options, opened);
  const { db, events, log } = infrastructure;
  const configuredAts = composeAts(config, { db, events, sealer: new Sealer(options.secrets.encryptionKeys) });
  const picked = await pickAdapters(config, {
    retry: options.retry,
    configuredAts,
    onSourceChange: (message) =>
      void events
        .record(db, 'source.changed', { message })
        .catch((error: unknown) => log.warn({ err: error }, message)),
  });
  const adapters = { ...picked, source: options.changeSource?.(picked.source) ?? picked.source };
  const features = composeFeatures({ config, infrastructure, adapters, configuredAts, options }, opened);
  if (isWeb) await seedFirstAccount({ db, events, log, config });
  const app = await composeHttp(config, { infrastructure, adapters, features, webFolder: options.webFolder }, opened);
  const running = opened.move();
  return {
    app,
    async start() {
      await startWork(
        { config, infrastructure, features, hasExclusiveDatabase: options.hasExclusiveDatabase },
        running,
      );
      running.defer(startSweep(log, adapters));
      // A store that cannot be used is reported immediately.
      void features.outages.check();
      const warns = isWeb && isReachable(config);
      const warning = warns ? await features.signIn.loginHint.warnOfDefaultCredentials() : null;
      features.readiness.announceStart();
      return { warning };
    },
    announceStop() {
      features.readiness.announceStop();
      endConnections(app);
    },
    stop: () => running.disposeAsync(),
  };
}

async function checkFirstPassword(config: Config, log: ComposeOptions['log']): Promise<void> {
  const weakness = await weaknessOfFirstPassword(config);
  if (weakness && isReachable(config)) throw new ConfigError([weakness]);
  if (weakness) log.warn(weakness);
}
