import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import { onTestFinished } from 'vitest';
import { ArchiveReader } from '#server/backup/archive-reader.ts';
import { CHECKSUMS, Checksums } from '#server/backup/manifest.ts';
import { listTables } from '#server/backup/table-list.ts';
import { dumpTable } from '#server/backup/table-rows.ts';
import { backupCommand } from '#server/cli/backup-command.ts';
import { openDatabase } from '#server/cli/open-database.ts';
import { restoreCommand } from '#server/cli/restore-command.ts';
import { readConfig } from '#server/config/config.ts';
import { openClient } from '#server/db/client.ts';
import { runCommand } from './commands.ts';
import type { TestApp } from './start-app.ts';
import { createEmptyDatabase } from './test-database.ts';

type Environment = Record<string, string>;

export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'interviews-backup-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes a backup with the command, in plain text by default. Returns its path and the output. */
export async function backUp(environment: Environment, ...options: string[]) {
  const file = join(await emptyFolder(), 'backup.tar');
  return { file, result: await backUpTo(file, environment, ...options) };
}

export const backUpTo = async (file: string, environment: Environment, ...options: string[]) =>
  (
    await runCommand(
      backupCommand,
      [file, ...(options.includes('--encrypt') ? [] : ['--plain']), ...options],
      environment,
    )
  ).result;

export const restore = async (environment: Environment, file: string, ...options: string[]) =>
  (await runCommand(restoreCommand, [file, ...options], environment)).result;

/**
 * Returns the rows that a backup includes, by table and sorted, as PostgreSQL writes them. The log
 * entries of the backup and of its restore are written afterwards.
 */
export async function rowsOf(environment: Environment): Promise<Record<string, string[]>> {
  await using opened = await openDatabase(readConfig(environment), { needs: 'usable' });
  await using client = await openClient(opened.connectionString, 'test');
  await client.query("SET timezone = 'UTC'; BEGIN");
  const rows: Record<string, string[]> = {};
  for (const table of await listTables(client)) {
    const lines: string[] = [];
    for await (const { bytes } of dumpTable(client, table)) lines.push(...bytes.toString().trimEnd().split('\n'));
    rows[table.name] = lines.filter((line) => !/make-backup|restore-backup/.test(line)).sort();
  }
  return rows;
}

/** Returns the digests of stored files by path. */
export async function filesOf({ DATA_DIR = '' }: Environment): Promise<Record<string, string>> {
  const root = join(DATA_DIR, 'files');
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const digests = await Promise.all(
    files.map(async (path) => [
      path.slice(root.length),
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
    ]),
  );
  return Object.fromEntries(digests.sort());
}

/**
 * Writes the backup that an attacker without the encryption key could write: with changed members
 * and correct checksums. Members for which `change` returns null are left out. Returns the path.
 */
export async function tamperWith(file: string, change: (name: string, text: string) => string | null): Promise<string> {
  const path = join(await emptyFolder(), 'backup.tar');
  const archive = pack();
  const written = pipeline(archive, createWriteStream(path));
  await using reader = await ArchiveReader.open(file);
  const digests: Checksums['members'] = {};
  for await (const member of reader.members()) {
    const isChecksums = member.name === CHECKSUMS;
    const original = (await buffer(member.chunks())).toString('latin1');
    const changed = change(member.name, original);
    if (changed === null) continue;
    const checksums = isChecksums ? { ...Checksums.parse(JSON.parse(changed)), members: digests } : null;
    const bytes = Buffer.from(checksums ? JSON.stringify(checksums) : changed, 'latin1');
    if (!isChecksums)
      digests[member.name] = { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
    archive.entry({ name: member.name }, bytes);
  }
  archive.finalize();
  await written;
  return path;
}

/** The environment of an empty installation that is next to this one. */
export async function emptyInstallation(product: TestApp) {
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  const urls = { DATABASE_URL: database.applicationUrl, DATABASE_OWNER_URL: database.url };
  return { ...product.environment, ...urls, DATA_DIR: await emptyFolder() };
}

/** For `startApp`: the database of such an installation. */
export const databaseOf = (environment: { DATABASE_URL: string; DATABASE_OWNER_URL: string }) => ({
  name: '',
  url: environment.DATABASE_OWNER_URL,
  applicationUrl: environment.DATABASE_URL,
  drop: async () => {},
});
