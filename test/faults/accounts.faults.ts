import { spawnSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { closedFolder, idsOf, isInNamespace, ownersBelow, serverProcesses } from '#support/database-accounts.ts';
import { type Launch, MAIN, startProcess } from '#support/start-process.ts';

/** 65534, and an id that is not in /etc/passwd, as in many containers. `initdb` needs a name. */
const ORDINARY: [string, number, { needsNamespace: boolean }][] = [
  ['an ordinary account', 65_534, { needsNamespace: false }],
  ['an account without a name', 54_321, { needsNamespace: true }],
];

/** Only root can change its account. */
describe.runIf(process.getuid?.() === 0 && !process.env.DATABASE_URL)(
  'embedded PostgreSQL under other accounts',
  () => {
    test('embedded PostgreSQL starts twice as root in a user namespace', {
      timeout: 60_000,
    }, async () => {
      const dataDir = await closedFolder(0);
      for (let start = 0; start < 2; start += 1) {
        const product = await startProcess({ DATA_DIR: dataDir });
        expect(await isInNamespace(product, await serverProcesses(product, dataDir))).toBe(true);
        expect(await ownersBelow(dataDir)).toEqual([0]);
        expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
        expect(await product.terminate()).toBe(0);
      }
    });

    test.each(ORDINARY)(
      'embedded PostgreSQL starts twice as %s',
      { timeout: 60_000 },
      async (_, id, { needsNamespace }) => {
        const { launch, owner } = launchAs(id);
        const dataDir = await closedFolder(owner);
        for (let start = 0; start < 2; start += 1) {
          const product = await startProcess({ DATA_DIR: dataDir }, { launch });
          expect(await isInNamespace(product, await serverProcesses(product, dataDir))).toBe(needsNamespace);
          expect(await idsOf(product.pid)).toEqual({ inside: id, outside: owner });
          expect(await ownersBelow(dataDir)).toEqual([owner]);
          expect(await product.terminate()).toBe(0);
        }
      },
    );
  },
);

/**
 * The real account when it can read the project. Otherwise root under that id in a user namespace,
 * which looks the same to the product. `owner` owns the files, seen from outside.
 */
function launchAs(id: number): { launch: Launch; owner: number } {
  const ids = { uid: id, gid: id };
  if (spawnSync('/bin/sh', ['-c', 'test -r "$0"', MAIN], ids).status === 0) return { launch: ids, owner: id };
  const renumbered = ['--user', `--map-user=${id}`, `--map-group=${id}`, '--', process.execPath];
  return { launch: { execPath: 'unshare', execArgv: renumbered }, owner: 0 };
}
