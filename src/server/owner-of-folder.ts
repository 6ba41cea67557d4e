import { chown, stat } from 'node:fs/promises';

/**
 * Under root, gives a file to the owner of the folder, so that the account of the server can
 * read it. Ignores failures: many network drives do not let root change owners.
 */
export async function giveToOwnerOf(folder: string, file: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(folder);
  await chown(file, uid, gid).catch(() => {});
}
