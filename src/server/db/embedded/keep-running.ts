import { setTimeout as pause } from 'node:timers/promises';
import { type Access, freePort } from './access.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { isRunning } from './process-state.ts';
import { endServer, launchServer, type ServerPlan } from './server.ts';

const LOOK_MS = 500;
/** Between tries, each twice as long as the one before: a full disk does not become free by trying. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

export interface KeptServer {
  /** Ends the server, whichever it is by now, and does not start it again. */
  stop(): Promise<void>;
}

interface Kept {
  plan: ServerPlan;
  /** Where it listens; it comes back there, as whoever uses it knows no other address. */
  access: Access;
  pid: number;
  log: { info(message: string): void };
}

/** Starts the server again whenever it ends without having been asked to: it was killed, or ran out of disk. */
export function keepRunning({ plan, access, pid, log }: Kept): KeptServer {
  let current = pid;
  let starting: Promise<void> | null = null;
  const stopping = new AbortController();

  const look = async () => {
    if (starting || stopping.signal.aborted || (await isRunning(current)) || starting || stopping.signal.aborted)
      return;
    log.info('PostgreSQL has ended without being asked to; it is started again.');
    starting = startAgain().finally(() => {
      starting = null;
    });
  };

  const startAgain = async () => {
    let said = '';
    for (let waitMs = FIRST_WAIT_MS; !stopping.signal.aborted; waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)) {
      try {
        current = await launchAgain(plan, access);
        log.info('PostgreSQL runs again.');
        return;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (reason !== said) log.info(`PostgreSQL cannot be started at the moment; it is tried again. ${reason}`);
        said = reason;
      }
      await pause(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };

  const timer = setInterval(() => void look().catch(() => {}), LOOK_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await starting;
      await endServer(current, plan);
    },
  };
}

/** @throws EmbeddedPostgresError when it does not start, or somebody else listens on the port */
async function launchAgain(plan: ServerPlan, access: Access): Promise<number> {
  const taken = () => new EmbeddedPostgresError(`Another program listens on port ${access.port}.`);
  if ((await freePort(access.port)) !== access.port) throw taken();
  const { pid, port } = await launchServer(plan, access);
  if (port === access.port) return pid;
  await endServer(pid, plan);
  throw taken();
}
