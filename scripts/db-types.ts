import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '#server/db/embedded/start-embedded-postgres.ts';
import { migrate } from '#server/db/migrate.ts';

const ROOT = resolve(import.meta.dirname, '..');
const run = promisify(execFile);

/** Generates `src/server/db/tables.ts` from a freshly migrated database. */
const dataDir = await mkdtemp(join(tmpdir(), 'interviews-types-'));
const database = await startEmbeddedPostgres({ dataDir, log: console });
try {
  await migrate(database.connectionString);
  await run(join(ROOT, 'node_modules/.bin/kysely-codegen'), ['--url', database.connectionString], { cwd: ROOT });
  console.log('src/server/db/tables.ts is up to date.');
} finally {
  await database.stop();
  await rm(dataDir, { recursive: true, force: true });
}
