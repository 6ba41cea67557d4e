import { existsSync } from 'node:fs';
import { migrate } from '#server/db/migrate.ts';
import { temporaryFolder } from '../../scripts/steps/workspace.ts';
import { openDatabase, withDatabase } from '../database.ts';
import { sized } from '../measure.ts';
import { seedInterviews } from '../seed-interviews.ts';

const INTERVIEWS = Number(process.env.BENCH_INTERVIEWS ?? sized(1_000_000, 2_000));
/** A folder to keep between runs; the first run fills it. */
const KEPT = process.env.BENCH_DATA_DIR;

/**
 * Returns a data folder with a million interviews (or BENCH_INTERVIEWS). Disposing of it deletes
 * it, unless it is kept. Stop every product that uses it first.
 */
export async function seededData(): Promise<{ path: string } & AsyncDisposable> {
  const folder = KEPT ? { path: KEPT, [Symbol.asyncDispose]: async () => {} } : await temporaryFolder('seeded');
  if (KEPT && existsSync(KEPT)) return folder;
  await withDatabase(folder.path, async (url) => {
    await migrate(url);
    await using client = await openDatabase(url);
    await seedInterviews(client, INTERVIEWS);
  });
  return folder;
}
