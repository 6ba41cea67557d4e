import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CommandError } from './command.ts';

/** Where a backup is written. */
export interface BackupTarget {
  /** Null for standard output. */
  path: string | null;
  /** The folder in which former backups are deleted; null for a file or standard output. */
  folder: string | null;
}

/** In the order of their time. */
const IN_FOLDER = /^interviews-\d{8}T\d{6}Z\.(?:tar|age)$/;
const DRAFT_IN_FOLDER = /^interviews-\d{8}T\d{6}Z\.(?:tar|age)\.[\da-f-]+\.part$/;
const DRAFT_END = /^[\da-f]{8}-[\da-f-]{27}\.part$/;
const DAY_MS = 24 * 60 * 60_000;

/**
 * `-` is standard output, and a folder gets a file that is named after the time.
 * @throws CommandError when the file exists, or standard output is a terminal
 */
export async function chooseTarget(given: string, isEncrypted: boolean): Promise<BackupTarget> {
  if (given === '-') {
    if (process.stdout.isTTY)
      throw new CommandError('Standard output is a terminal. Pipe the backup into a program or a file.');
    return { path: null, folder: null };
  }
  const folder = (await isFolder(given)) ? resolve(given) : null;
  const path = folder ? join(folder, nameOf(new Date(), isEncrypted)) : resolve(given);
  if (existsSync(path))
    throw new CommandError(`${path} already exists. Choose another name: a backup never overwrites a file.`);
  return { path, folder };
}

/** Deletes the oldest backups of a folder but the last `keep`. Returns the deleted names. */
export async function deleteOldBackups(folder: string, keep: number): Promise<string[]> {
  const old = (await listBackups(folder)).slice(0, -keep);
  for (const name of old) await rm(join(folder, name));
  return old;
}

/** Deletes drafts that killed backups have left. Ignores those that this account may not delete. */
export async function deleteAbandonedDrafts({ path, folder }: BackupTarget): Promise<void> {
  if (path === null) return;
  const [place, start] = [dirname(path), `${basename(path)}.`];
  for (const name of await readdir(place).catch((): string[] => [])) {
    const isOfFile = name.startsWith(start) && DRAFT_END.test(name.slice(start.length));
    const isDraft = folder ? DRAFT_IN_FOLDER.test(name) : isOfFile;
    if (!isDraft) continue;
    const draft = await stat(join(place, name)).catch(() => null);
    if (draft && Date.now() - draft.mtimeMs > DAY_MS) await rm(join(place, name), { force: true }).catch(() => {});
  }
}

/** A folder means its newest backup. @throws CommandError when it has none */
export async function findBackup(given: string): Promise<string> {
  if (!(await isFolder(given))) return given;
  const newest = (await listBackups(given)).at(-1);
  if (newest) return join(given, newest);
  throw new CommandError(`${given} contains no backup named interviews-….tar or interviews-….age.`);
}

const listBackups = async (folder: string) => (await readdir(folder)).filter((name) => IN_FOLDER.test(name)).sort();

const nameOf = (time: Date, isEncrypted: boolean) =>
  `interviews-${time.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.${isEncrypted ? 'age' : 'tar'}`;

const isFolder = async (path: string) => (await stat(path).catch(() => null))?.isDirectory() ?? false;
