import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '#server/db/embedded/start-embedded-postgres.ts';
import { migrate } from '#server/db/migrate.ts';
import { seedInterviews } from '../seed-interviews.ts';

const INTERVIEWS = Number(process.env.BENCH_INTERVIEWS ?? 1_000_000);
/** A folder to keep between runs, filled by the first one. */
const KEPT = process.env.BENCH_DATA_DIR;

let seeded: Promise<string> | undefined;

/** A data folder whose database has a million interviews (or BENCH_INTERVIEWS), filled once a run. */
export function seededDataDir(): Promise<string> {
  seeded ??= KEPT && existsSync(KEPT) ? Promise.resolve(KEPT) : fill();
  return seeded;
}

/** Removes the folder, if there is one that is not to be kept. Whoever ran a product on it has stopped it by then. */
export async function removeSeededData(): Promise<void> {
  if (seeded && !KEPT) await rm(await seeded, { recursive: true, force: true });
  seeded = undefined;
}

async function fill(): Promise<string> {
  const dataDir = KEPT ?? (await mkdtemp(join(tmpdir(), 'bench-seeded-')));
  const postgres = await startEmbeddedPostgres({ dataDir, log: { info: () => {} } });
  try {
    await migrate(postgres.connectionString);
    const client = new pg.Client({ connectionString: postgres.connectionString });
    await client.connect();
    await seedInterviews(client, INTERVIEWS);
    await client.end();
  } finally {
    await postgres.stop();
  }
  return dataDir;
}
