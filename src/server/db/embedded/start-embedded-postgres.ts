import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { connectionStringOf, writeAccess } from './access.ts';
import { lockDataDir } from './data-dir-lock.ts';
import { explainError } from './embedded-postgres-error.ts';
import { keepRunning } from './keep-running.ts';
import { type RunOptions, runCluster } from './run-cluster.ts';
import { endServer } from './server.ts';

/** A PostgreSQL server of our own, answering. */
export interface EmbeddedPostgres {
  /** Carries the password: not for logs. */
  readonly connectionString: string;
  readonly port: number;
  /** Whether the server was running already, left behind by a process that was killed. */
  readonly adopted: boolean;
  /** Ends the server in order and frees the folder. Call it last, after everything that uses the database. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL on the files in `dataDir`, on 127.0.0.1 and a port of its own, and makes them at the first start.
 * The server survives a kill of this process, and the next start takes it over. One that ends by itself is started again.
 *
 * @throws EmbeddedPostgresError whose message names the cause and what to do: folder in use, package missing, no space, no permission
 */
export async function startEmbeddedPostgres(options: RunOptions): Promise<EmbeddedPostgres> {
  const folder = resolve(options.dataDir);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lock = lockDataDir(folder);
    try {
      return await start({ ...options, dataDir: folder }, lock.release);
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw explainError(error, folder);
  }
}

async function start(options: RunOptions, release: () => void): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options;
  const { plan, access, pid, port, adopted } = await runCluster(options);
  if (port !== access.port || !access.made) {
    await writeAccess(dataDir, { ...access, port, made: true }).catch(async (error: unknown) => {
      await endServer(pid, plan);
      throw error;
    });
  }

  const trimming = plan.logFile.keepSmall();
  const kept = keepRunning({ plan, access: { ...access, port }, pid, log });
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    trimming.stop();
    await kept.stop();
    release();
  };
  return {
    connectionString: connectionStringOf({ ...access, port }),
    port,
    adopted,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}
