import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a private folder and its missing parents. Node's recursive `mkdir` repeats indefinitely
 * where the file system reports a new folder as missing, as /proc does.
 */
export async function makeFolder(path: string): Promise<void> {
  const parent = dirname(path);
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (await isFolder(path)) return;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path || (await isFolder(parent))) throw error;
    await makeFolder(parent);
    await makeFolder(path);
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
