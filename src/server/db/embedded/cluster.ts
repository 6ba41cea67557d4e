import {
  appendFile,
  chown,
  lstat,
  mkdir,
  readFile,
  realpath,
  rename,
  rm,
  statfs,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { type Access, DATABASE } from './access.ts';

import { EmbeddedPostgresError, explain } from './embedded-postgres-error.ts';
import type { Programs } from './programs.ts';
import { type Account, runProgram } from './run-program.ts';
import { renderSettings, SETTINGS_FILE, type ServerSettings } from './settings.ts';

/** A new cluster takes 40 MB; the rest is for the first pages of the write-ahead log. */
const ROOM_BYTES = 120 * 1024 * 1024;

/** Folder of the database's files, without links; null where none has been made yet. */
export const findCluster = (dataDir: string): Promise<string | null> =>
  realpath(join(dataDir, 'postgres')).catch(() => null);

/**
 * Makes the database's files. They get their name only when they are complete, so that a crash in between leaves
 * nothing that looks like a database.
 */
export async function createCluster(account: Account, programs: Programs, access: Access, dataDir: string) {
  await demandRoom(account.home);
  const unfinished = join(account.home, 'postgres.unfinished');
  const passwordFile = `${unfinished}.password`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, access.password, { mode: 0o600 });
  await giveTo(account, unfinished);
  await giveTo(account, passwordFile);
  try {
    const made = await runProgram(account, programs.path('initdb'), initdbArguments(unfinished, passwordFile));
    if (!made.ok) throw explain(made.printed, dataDir);
  } finally {
    await rm(passwordFile, { force: true });
  }
  await appendFile(join(unfinished, 'postgresql.conf'), `\ninclude_if_exists = '${SETTINGS_FILE}'\n`, { flush: true });

  const cluster = join(account.home, 'postgres');
  await rename(unfinished, cluster);
  const expected = join(dataDir, 'postgres');
  if (cluster !== expected) {
    // One left from a database that was removed would point nowhere.
    if (await lstat(expected).catch(() => null)) await rm(expected);
    await symlink(cluster, expected);
  }
  return realpath(cluster);
}

const initdbArguments = (folder: string, passwordFile: string) => [
  `--pgdata=${folder}`,
  `--username=${DATABASE}`,
  '--auth=scram-sha-256',
  `--pwfile=${passwordFile}`,
  '--encoding=UTF8',
  // Sorts by code point, yet upper and lower case work for every language, the same on every system.
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-instructions',
];

/** @throws EmbeddedPostgresError when the files were written by another major version */
export async function demandSameMajor(cluster: string, programs: Programs) {
  const written = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  const ours = programs.version.split('.')[0];
  if (written === ours) return;
  throw new EmbeddedPostgresError(
    `The database in ${cluster} was written by PostgreSQL ${written}; this release brings ${ours}. ` +
      'Export it with the release that wrote it (pg_dump), start with an empty DATA_DIR, and import it.',
  );
}

export async function writeSettings(account: Account, cluster: string, settings: ServerSettings & { port: number }) {
  const file = join(cluster, SETTINGS_FILE);
  await writeFile(file, renderSettings(settings.port, settings), { mode: 0o600 });
  await giveTo(account, file);
}

/** A cluster that root made in a user namespace is handed over when namespaces are no longer allowed. */
export async function handOver(account: Account, cluster: string) {
  const { uid, gid } = account.ids ?? {};
  if (uid === undefined || (await lstat(cluster)).uid === uid) return;
  const given = await runProgram(ROOT, 'chown', ['-R', `${uid}:${gid}`, cluster]);
  if (!given.ok) throw explain(given.printed, cluster);
}

const ROOT: Account = { home: '/', ids: null, wrap: (command, args) => ({ command, args: [...args], ids: {} }) };

const giveTo = async ({ ids }: Account, path: string) => ids && chown(path, ids.uid, ids.gid);

async function demandRoom(folder: string) {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= ROOM_BYTES) return;
  throw new EmbeddedPostgresError(
    `No space is left for the database in ${folder}: it needs ${ROOM_BYTES >> 20} MB and ${Math.floor((bavail * bsize) / 2 ** 20)} MB are free. ` +
      'Free some, or set DATA_DIR to another disk.',
  );
}
