import { copyFile, stat, truncate } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Access } from './access.ts';
import { endServer, isRunning, launchServer, type ServerPlan } from './server.ts';

const CHECK_INTERVAL_MS = 500;
const RETRY_INTERVAL_MS = 5_000;
const MAX_LOG_BYTES = 5 * 1024 * 1024;

/** Restarts the server on the same port whenever it exits unexpectedly. */
export function keepRunning(plan: ServerPlan, access: Access, pid: number): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let current = pid;
  let problem = '';

  const restart = async () => {
    if (!problem) plan.log.info('PostgreSQL stopped unexpectedly. Restarting it.');
    current = (await launchServer(plan, access)).pid;
    plan.log.info('PostgreSQL is running again.');
    problem = '';
  };
  const reportOnce = ({ message }: Error) => {
    if (message !== problem) plan.log.info(`PostgreSQL cannot be started now. Retrying automatically. ${message}`);
    problem = message;
  };
  const watch = async () => {
    for (;;) {
      await sleep(problem ? RETRY_INTERVAL_MS : CHECK_INTERVAL_MS, undefined, { signal: stopping.signal, ref: false });
      if (await isRunning(current)) await limitSize(plan.logFile).catch(() => {});
      else await restart().catch(reportOnce);
    }
  };

  // Rejects when `stop` aborts the wait.
  const watching = watch().catch(() => {});
  return {
    async stop() {
      stopping.abort();
      await watching;
      await endServer(current, plan);
    },
  };
}

/** Copies and truncates instead of renaming: PostgreSQL keeps the file open. */
async function limitSize(path: string): Promise<void> {
  if ((await stat(path)).size < MAX_LOG_BYTES) return;
  await copyFile(path, `${path}.1`);
  await truncate(path);
}
