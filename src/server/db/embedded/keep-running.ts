import { copyFile, stat, truncate } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Access } from './access.ts';
import { endServer, isRunning, launchServer, type ServerPlan } from './server.ts';

const CHECK_INTERVAL_MS = 500;
const MAX_RETRY_MS = 15_000;
const MAX_LOG_BYTES = 5 * 1024 * 1024;

/** Restarts the server on the same port whenever it ends by itself. */
export function keepRunning(plan: ServerPlan, access: Access, pid: number): { stop(): Promise<void> } {
  const { log, logFile } = plan;
  const stopping = new AbortController();
  let current = pid;

  const watch = async () => {
    let [waitMs, reported] = [CHECK_INTERVAL_MS, ''];
    for (;;) {
      await sleep(waitMs, undefined, { signal: stopping.signal, ref: false });
      if (await isRunning(current)) {
        await limitSize(logFile).catch(() => {});
        continue;
      }
      if (reported === '') log.info('PostgreSQL stopped unexpectedly. Restarting it.');
      try {
        current = (await launchServer(plan, access)).pid;
        log.info('PostgreSQL is running again.');
        [waitMs, reported] = [CHECK_INTERVAL_MS, ''];
      } catch (error) {
        const reason = (error as Error).message;
        if (reason !== reported) log.info(`PostgreSQL cannot be started now. Retrying automatically. ${reason}`);
        [waitMs, reported] = [Math.min(MAX_RETRY_MS, waitMs * 2), reason];
      }
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
