import { execFile } from 'node:child_process';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestEnd } from './stage.ts';

const run = promisify(execFile);

/**
 * A small in-memory disk mounted at a folder, which a scenario can fill, empty and make read-only.
 */
export interface SmallDisk {
  /** Fills the disk except for this many bytes. */
  fill(leaveBytes: number): Promise<void>;
  empty(): Promise<void>;
  readOnly(is: boolean): Promise<void>;
}

/**
 * @throws Error without the permission to mount. Root has it, and so has
 * `unshare --user --map-root-user --mount`.
 */
export async function smallDisk(folder: string, megabytes: number): Promise<SmallDisk> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', folder]);
  onTestEnd(() => run('umount', ['--lazy', folder]));
  const ballast = join(folder, 'ballast');
  return {
    async fill(leaveBytes) {
      const { bavail, bsize } = await statfs(folder);
      const ballastBytes = Math.max(0, bavail * bsize - leaveBytes);
      await writeFile(ballast, Buffer.alloc(ballastBytes), { flag: 'a' }).catch((error: NodeJS.ErrnoException) => {
        // The product has written in the meantime: the disk is full already.
        if (error.code !== 'ENOSPC') throw error;
      });
    },
    empty: () => rm(ballast, { force: true }),
    readOnly: async (is) => void (await run('mount', ['-o', `remount,${is ? 'ro' : 'rw'}`, folder])),
  };
}
