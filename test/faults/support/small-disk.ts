import { execFile } from 'node:child_process';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { undone } from './stage.ts';

const run = promisify(execFile);

/** A disk of its own under a folder, in memory: small, and filled, emptied or made read-only as a scenario wants it. */
export interface SmallDisk {
  /** Leaves so many bytes free. */
  fill(leaveBytes: number): Promise<void>;
  empty(): Promise<void>;
  readOnly(is: boolean): Promise<void>;
}

/** @throws Error where this account may not mount: root may, and so may `unshare --user --map-root-user --mount` */
export async function smallDisk(folder: string, megabytes: number): Promise<SmallDisk> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', folder]);
  undone(() => run('umount', ['--lazy', folder]));
  const ballast = join(folder, 'ballast');
  return {
    async fill(leaveBytes) {
      const { bavail, bsize } = await statfs(folder);
      await writeFile(ballast, Buffer.alloc(Math.max(0, bavail * bsize - leaveBytes)), { flag: 'a' });
    },
    empty: () => rm(ballast, { force: true }),
    readOnly: async (is) => void (await run('mount', ['-o', `remount,${is ? 'ro' : 'rw'}`, folder])),
  };
}
