import { stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { closedFolder, isInNamespace, ownersBelow, serverProcesses } from './support/database-accounts.ts';
import { startProcess } from './support/start-process.ts';

/** Other accounts and further starts are in test/faults/accounts.faults.ts. */
test.runIf(process.getuid?.() === 0 && !process.env.DATABASE_URL)(
  'embedded PostgreSQL runs as root in a user namespace, also in a folder that only root can enter',
  { timeout: 60_000 },
  async () => {
    const dataDir = await closedFolder(0);
    const product = await startProcess({ DATA_DIR: dataDir });
    expect(await isInNamespace(product, await serverProcesses(product, dataDir))).toBe(true);
    expect(await ownersBelow(dataDir)).toEqual([0]);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect(await product.terminate()).toBe(0);
  },
);
