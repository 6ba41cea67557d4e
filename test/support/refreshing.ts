import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { listLogs, type RefreshLogDetails, type RefreshLogMetadata } from '#contracts/logs.ts';
import { startSync, type Timeframe } from '#contracts/sync.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import type { Sandbox } from '#sandbox/start-sandbox.ts';
import type { Person } from './call.ts';
import { startApp, type TestApp } from './start-app.ts';
import { startSandbox } from './start-sandbox.ts';

/** The smallest funnel of the sandbox. */
export const FUNNEL = 'warehouse';

/** Starts a product on a sandbox, with the smallest funnel active. */
export async function setUpRefresh(
  env: Record<string, string> = {},
  options: Pick<NonNullable<Parameters<typeof startApp>[0]>, 'paces' | 'onFinished'> = {},
) {
  const sandbox = await startSandbox(options.onFinished);
  const product = await startApp({ env: { ...productVariables(sandbox), ...env }, ...options });
  const recruiter = await product.signedIn();
  const funnel = sandbox.funnels.find(({ funnelId }) => funnelId === FUNNEL) ?? sandbox.funnels.at(-1);
  if (!funnel) throw new Error('The sandbox has no funnels');
  const funnelId = await product.build.activeFunnel(recruiter, funnel);
  return { sandbox, product, recruiter, funnel, funnelId };
}

export async function refresh(product: TestApp, recruiter: Person, timeframe: Timeframe = 'all') {
  await recruiter.call(startSync, { query: { timeframe } });
  return product.refreshEnded(recruiter);
}

/** Returns the log entry of the last refresh. */
export async function lastEntry(recruiter: Person) {
  const { logs } = await recruiter.call(listLogs, { query: {} });
  const entry = logs.find(({ action }) => action === 'sync-interviews');
  if (!entry) throw new Error('No refresh was logged');
  return {
    entry,
    details: entry.details as unknown as RefreshLogDetails,
    metadata: entry.metadata as unknown as RefreshLogMetadata,
  };
}

/** The names in a folder of the product's file store. */
export const filesIn = (product: TestApp, folder: string) =>
  readdir(join(product.dataDir, 'files', folder), { recursive: true }).catch((): string[] => []);
/** Requests to the interview service. */
export const listings = (sandbox: Sandbox) => sandbox.requests.list('/interviews');
/** Requests for files. */
export const downloads = (sandbox: Sandbox) => sandbox.requests.list('/media/');
/** The highest number of concurrent downloads. */
export const peakDownloads = (sandbox: Sandbox) => sandbox.requests.counters().byMount.media?.peakActive ?? 0;
