import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '#server/db/migrate.ts';
import { openDatabase, withDatabase } from '../database.ts';
import { sized } from '../scale.ts';
import { seedInterviews } from '../seed-interviews.ts';

const INTERVIEWS = Number(process.env.BENCH_INTERVIEWS ?? sized(1_000_000, 2_000));
/** A folder to keep between runs; the first run fills it. */
const KEPT = process.env.BENCH_DATA_DIR;

let seeded: Promise<string> | undefined;

/** Returns a data folder with a million interviews (or BENCH_INTERVIEWS), filled once per run. */
export function seededDataDir(): Promise<string> {
  seeded ??= KEPT && existsSync(KEPT) ? Promise.resolve(KEPT) : fill();
  return seeded;
}

/** Deletes the folder unless it is to be kept. Stop every product that uses it first. */
export async function removeSeededData(): Promise<void> {
  if (seeded && !KEPT) await rm(await seeded, { recursive: true, force: true });
  seeded = undefined;
}

async function fill(): Promise<string> {
  const dataDir = KEPT ?? (await mkdtemp(join(tmpdir(), 'bench-seeded-')));
  await withDatabase(dataDir, async (url) => {
    await migrate(url);
    await using client = await openDatabase(url);
    await seedInterviews(client, INTERVIEWS);
  });
  return dataDir;
}
