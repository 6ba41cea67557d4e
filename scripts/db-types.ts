import { execFile } from 'node:child_process';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '#server/db/embedded/start-embedded-postgres.ts';
import { migrate, migrationFiles, readMigration } from '#server/db/migrate.ts';

const ROOT = resolve(import.meta.dirname, '..');
const run = promisify(execFile);

/** Adds new migrations only: the checksum test must detect a changed one. */
async function addChecksums(): Promise<void> {
  const file = join(ROOT, 'test/migrations/checksums.json');
  const checksums: Record<string, string> = JSON.parse(await readFile(file, 'utf8'));
  for (const name of await migrationFiles()) checksums[name] ??= (await readMigration(name)).checksum;
  await writeFile(file, `${JSON.stringify(checksums, null, 2)}\n`);
}

/** `npm run db-types`: generates `src/server/db/tables.ts` from a new, migrated database. */
await using folder = await mkdtempDisposable(join(tmpdir(), 'interviews-types-'));
const database = await startEmbeddedPostgres({ dataDir: folder.path, log: console });
try {
  await migrate(database.ownerUrl);
  await run(join(ROOT, 'node_modules/.bin/kysely-codegen'), ['--url', database.ownerUrl], { cwd: ROOT });
  await addChecksums();
  console.log('src/server/db/tables.ts is up to date.');
} finally {
  await database.stop();
}
