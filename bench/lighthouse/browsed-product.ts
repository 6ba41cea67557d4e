import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { MEDIA_DIR } from '#sandbox/interviews/recordings.ts';
import { type BenchProduct, startProduct } from '../product.ts';
import { sized } from '../scale.ts';
import { seedInterviews } from '../seed-interviews.ts';

const INTERVIEWS = sized(1_000, 100);

/** A product with a thousand interviews, each with a thumbnail, and an active funnel. */
export interface BrowsedProduct extends BenchProduct {
  database: pg.Client;
}

export async function startBrowsedProduct(env: Record<string, string> = {}): Promise<BrowsedProduct> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-browsed-'));
  const product = await startProduct({ dataDir, env });
  const database = new pg.Client({ connectionString: product.databaseUrl });
  await database.connect();
  await seedInterviews(database, INTERVIEWS);
  await addPictures(database, join(dataDir, 'files/thumbnails'));
  await product.call('POST', '/api/funnels/1/activate');
  return {
    ...product,
    database,
    async stop() {
      await database.end();
      await product.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Uses the sandbox's pictures in turn; they are as large as those of the service. */
async function addPictures(database: pg.Client, folder: string): Promise<void> {
  const pictures = (await readdir(MEDIA_DIR)).filter((name) => name.endsWith('.jpg'));
  const { rows } = await database.query<{ id: string }>(
    `UPDATE interview SET thumbnail_file = id || '.jpg' RETURNING id`,
  );
  await mkdir(folder, { recursive: true });
  await Promise.all(
    rows.map(({ id }, n) =>
      copyFile(new URL(pictures[n % pictures.length] ?? '', MEDIA_DIR), join(folder, `${id}.jpg`)),
    ),
  );
}
