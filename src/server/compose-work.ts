import type { Adapters } from './compose-adapters.ts';
import type { Features } from './compose-features.ts';
import type { Infrastructure } from './compose-infrastructure.ts';
import type { Config } from './config/config.ts';
import type { WorkerQueue } from './config/variables.ts';
import { recordRelease } from './features/operations/releases.service.ts';
import type { Log } from './ports/log.ts';
import { RELEASE } from './release.ts';

const EXPIRY_INTERVAL_MS = 60_000;
const SWEEP_INTERVAL_MS = 60 * 60 * 1_000;
const ABANDONED_INTERVAL_MS = 15_000;

interface WorkDeps {
  config: Config;
  infrastructure: Infrastructure;
  features: Features;
  hasExclusiveDatabase: boolean;
}

/** Job types by queue. Types that are not listed run in every worker. */
const QUEUES: Record<string, WorkerQueue> = {
  'sync.run': 'sync',
  'sync.automatic': 'sync',
  'processing.convert': 'convert',
  'processing.transcribe': 'transcribe',
  'processing.summarize': 'summarize',
};

/** Creates the queues and, in the worker role, runs jobs and periodic work. */
export async function startWork(deps: WorkDeps, opened: AsyncDisposableStack): Promise<void> {
  const { config, infrastructure, features, hasExclusiveDatabase } = deps;
  const { db, bus, queue, workers, events } = infrastructure;
  const { sync, processing, bulk, join, removal, videoRemoval, noteRemoval, uploads, mail, pushes } = features;
  const { ROLES: roles, WORKER_QUEUES: queues } = config;
  const jobs = [
    ...[...sync.jobs, bulk.job, uploads.job, join.job, removal.job, removal.delayedJob, mail.job],
    ...[...videoRemoval.jobs, ...processing.jobs, noteRemoval.job, pushes.job],
  ];
  const isWorker = roles.includes('worker');
  await queue.prepare(jobs);
  if (isWorker) await endAbandoned(infrastructure, features);
  await recordRelease(infrastructure);
  await events.record(db, 'process.started', { roles: [...roles], release: RELEASE });
  if (!isWorker) return;
  const own = jobs.filter(({ name }) => {
    const limited = QUEUES[name];
    return limited === undefined || queues.includes(limited);
  });
  await queue.start(own, { bus, hasExclusiveDatabase });
  await workers.report(own.map(({ name }) => name));
  await features.deliveryWorker.start({ isAlone: hasExclusiveDatabase });
  opened.defer(() => features.deliveryWorker.stop());
  await startRemovals(infrastructure, features);
  await features.uploadFolder?.check();
  opened.defer(startTimers(infrastructure, features));
}

/**
 * Ends runs whose job or remaining interviews no longer exist, and starts the refresh that waited.
 */
async function endAbandoned({ runs }: Infrastructure, { sync, bulk }: Features): Promise<void> {
  await runs.endAbandoned();
  await sync.continueQueue();
  await bulk.endRunsWithoutSteps();
}

async function startRemovals(
  { log }: Infrastructure,
  { candidates, videoRemoval, noteRemoval }: Features,
): Promise<void> {
  await candidates
    .repeatErasures()
    .catch((error) => log.error({ err: error }, 'erasures could not be compared: erased candidates may be back'));
  await videoRemoval.retryRefused();
  await noteRemoval.retryRefused();
}

/**
 * Starts the periodic work. Every worker does all of it: repeating it, also at the same time,
 * changes nothing (docs/decisions/0021).
 */
function startTimers({ logs, runs, log, paces }: Infrastructure, features: Features): () => void {
  const { automations, webhooks, sync, bulk, sessions, apiTokens, signIn } = features;
  const { candidates, deletedInterviews, uploads, uploadFolder, notices, shares, outgoingWebhooks } = features;
  const timers = [
    every(log, paces.automationIntervalMs, ['refreshing funnels', () => automations.startDue()]),
    every(log, paces.automationIntervalMs, ['sending daily mails', () => notices.sendDaily()]),
    every(log, SWEEP_INTERVAL_MS, ['deleting old notices', () => notices.deleteExpired()]),
    every(log, SWEEP_INTERVAL_MS, ['deleting old events of webhooks', () => webhooks.deleteExpired()]),
    every(log, SWEEP_INTERVAL_MS, ['deleting old deliveries', () => outgoingWebhooks.deleteExpired()]),
    every(log, SWEEP_INTERVAL_MS, ['deleting old automatic refreshes', () => sync.deleteExpired()]),
    every(log, ABANDONED_INTERVAL_MS, ['ending abandoned runs', () => runs.endAbandoned()]),
    every(log, ABANDONED_INTERVAL_MS, ['continuing the queue of refreshes', () => sync.continueQueue()]),
    every(log, ABANDONED_INTERVAL_MS, ['ending bulk runs without steps', () => bulk.endRunsWithoutSteps()]),
    every(log, SWEEP_INTERVAL_MS, ['deleting old log entries', () => logs.deleteExpired()]),
    every(log, SWEEP_INTERVAL_MS, ['deleting old traces of interviews', () => deletedInterviews.deleteExpired()]),
    every(log, SWEEP_INTERVAL_MS, ['noting links that expire soon', () => shares.noteExpiring()]),
    every(log, SWEEP_INTERVAL_MS, ['deleting old links', () => shares.deleteExpired()]),
    every(log, SWEEP_INTERVAL_MS, ['storing the list of erasures', () => candidates.repeatErasures()]),
    every(log, SWEEP_INTERVAL_MS, ['deleting abandoned uploads', () => uploads.deleteExpired()]),
    every(log, EXPIRY_INTERVAL_MS, ['ending expired sessions', () => sessions.endExpired()]),
    every(log, SWEEP_INTERVAL_MS, ['deleting expired API tokens', () => apiTokens.deleteExpired()]),
    every(log, SWEEP_INTERVAL_MS, ['deleting old sign-in failures', () => signIn.throttle.deleteOldFailures()]),
  ];
  if (uploadFolder)
    timers.push(every(log, uploadFolder.intervalMs, ['adding recordings of UPLOAD_FOLDER', () => uploadFolder.scan()]));
  return () => timers.forEach(clearInterval);
}

/** Every process may leave partial files in its own folder. Returns a function that stops it. */
export function startSweep(log: Log, { files }: Pick<Adapters, 'files'>): () => void {
  const timer = every(log, SWEEP_INTERVAL_MS, ['removing abandoned partial files', () => files.removeAbandoned()]);
  return () => clearInterval(timer);
}

const every = (log: Log, ms: number, [name, work]: [string, () => Promise<void>]) =>
  setInterval(
    () => work().catch((error) => log.warn({ err: error }, `${name} failed; it will be retried`)),
    ms,
  ).unref();
