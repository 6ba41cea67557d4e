import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '#server/db/embedded/start-embedded-postgres.ts';
import { migrate } from '#server/db/migrate.ts';
import { migrationFiles, readMigration } from '#server/db/migration-files.ts';

const ROOT = resolve(import.meta.dirname, '..');
const run = promisify(execFile);

/** Of new migrations only: one that was changed is to be found out by its test. */
async function noteChecksums(): Promise<void> {
  const file = join(ROOT, 'test/migrations/checksums.json');
  const noted: Record<string, string> = JSON.parse(await readFile(file, 'utf8'));
  for (const name of await migrationFiles()) noted[name] ??= (await readMigration(name)).checksum;
  await writeFile(file, `${JSON.stringify(noted, null, 2)}\n`);
}

/** Generates `src/server/db/tables.ts` from a freshly migrated database. */
const dataDir = await mkdtemp(join(tmpdir(), 'interviews-types-'));
const database = await startEmbeddedPostgres({ dataDir, log: console });
try {
  await migrate(database.connectionString);
  await run(join(ROOT, 'node_modules/.bin/kysely-codegen'), ['--url', database.connectionString], { cwd: ROOT });
  await noteChecksums();
  console.log('src/server/db/tables.ts is up to date.');
} finally {
  await database.stop();
  await rm(dataDir, { recursive: true, force: true });
}
