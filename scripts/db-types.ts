import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate, migrationFiles, readMigration } from '#server/db/migrate.ts';
import { withDatabase } from '../bench/database.ts';
import { ROOT, run, temporaryFolder } from './steps/workspace.ts';

/** Adds new migrations only: the checksum test must detect a changed one. */
async function addChecksums(): Promise<void> {
  const file = join(ROOT, 'test/migrations/checksums.json');
  const checksums: Record<string, string> = JSON.parse(await readFile(file, 'utf8'));
  for (const name of await migrationFiles()) checksums[name] ??= (await readMigration(name)).checksum;
  await writeFile(file, `${JSON.stringify(checksums, null, 2)}\n`);
}

/** `npm run db-types`: generates `src/server/db/tables.ts` from a new, migrated database. */
await using folder = await temporaryFolder('types');
await withDatabase(folder.path, async (url) => {
  await migrate(url);
  await run(join(ROOT, 'node_modules/.bin/kysely-codegen'), ['--url', url], { cwd: ROOT });
  await addChecksums();
  console.log('src/server/db/tables.ts is up to date.');
});
