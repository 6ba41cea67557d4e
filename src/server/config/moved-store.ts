import { readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';

/** Contains the value of FILE_STORE for processes in which it is not set. */
const pathIn = (dataDir: string): string => join(dataDir, 'file-store');

/** Returns the store that the files were moved to, or undefined if they were never moved. */
export function findMovedStore(dataDir: string): string | undefined {
  try {
    return readFileSync(pathIn(dataDir), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Makes `store` the default of FILE_STORE. */
export async function writeMovedStore(dataDir: string, store: 'local' | 's3'): Promise<void> {
  const draft = `${pathIn(dataDir)}.new`;
  const handle = await open(draft, 'w', 0o600);
  try {
    await handle.writeFile(`${store}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, pathIn(dataDir));
}
