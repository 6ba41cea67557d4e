import { chown, stat } from 'node:fs/promises';

/**
 * A command that root runs must leave nothing that the product's own account could not read. Where the system does not let root give
 * files away, as on many network drives, they are that account's already or stay as they are.
 */
export async function giveToOwnerOf(folder: string, file: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(folder);
  await chown(file, uid, gid).catch(() => {});
}
