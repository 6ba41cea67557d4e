import { lstat, mkdir, realpath, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Returns the subfolder, which it creates if it is missing.
 * @throws Error when it is a link, which may lead anywhere, not a folder, or on another disk
 */
export async function prepareFolder(folder: string, name: 'done' | 'failed'): Promise<string> {
  const path = join(folder, name);
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const isInside = (await realpath(path)) === join(await realpath(folder), name);
  const [found, { dev }] = await Promise.all([lstat(path), lstat(folder)]);
  // A file cannot be moved to another disk.
  if (isInside && found.isDirectory() && found.dev === dev) return path;
  throw new Error(`"${name}" is not a folder on the same disk; replace the link, file or mount with a folder`);
}

interface Move {
  from: string;
  name: string;
  /** Null when the recording was added. */
  reason: string | null;
}

/**
 * Moves the recording and its JSON file to `done`, or with a reason to `failed`. Replaces nothing
 * and follows no links.
 */
export async function moveAway({ from, name, reason }: Move): Promise<void> {
  const target = await prepareFolder(from, reason === null ? 'done' : 'failed');
  const reasonName = (newName: string) => `${shortened(newName)}.reason.txt`;
  const taken = await Promise.all([name, `${name}.json`, reasonName(name)].map((each) => exists(join(target, each))));
  const newName = taken.includes(true) ? `${Date.now()}-${name}` : name;
  await rename(join(from, name), join(target, newName));
  await rename(join(from, `${name}.json`), join(target, `${newName}.json`)).catch(() => {});
  if (reason !== null) await writeFile(join(target, reasonName(newName)), `${reason}\n`, { flag: 'wx' });
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** Names have at most 255 bytes. */
const shortened = (name: string) => (Buffer.byteLength(name) > 240 ? [...name].slice(0, 60).join('') : name);
