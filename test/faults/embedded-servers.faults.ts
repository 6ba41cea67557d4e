import { expect, test } from 'vitest';
import { isRunning } from '#server/db/embedded/server.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/start-embedded-postgres.ts';
import { emptyFolder } from '#support/backups.ts';
import { findPostmasterPid, killHard, query, startInOtherProcess } from '#support/embedded-server.ts';

const log = { info: () => {} };

test('the embedded database survives Ctrl-C in the terminal of the application', async () => {
  const dataDir = await emptyFolder();
  const { child, ownerUrl } = await startInOtherProcess(dataDir);
  process.kill(-(child.pid as number), 'SIGINT');
  expect(await query(ownerUrl, 'SELECT 1 AS one')).toEqual({ one: 1 });
  await killHard(child);
  await (await startEmbeddedPostgres({ dataDir, log })).stop();
});

test('the server that a killed application leaves is stopped, and another one serves its data on its port', async () => {
  const dataDir = await emptyFolder();
  const { child, ownerUrl } = await startInOtherProcess(dataDir);
  await query(ownerUrl, 'CREATE TABLE written AS SELECT 3 AS number');
  const pid = await findPostmasterPid(dataDir);
  await killHard(child);
  const server = await startEmbeddedPostgres({ dataDir, log });
  try {
    expect(server.port).toBe(Number(new URL(ownerUrl).port));
    expect(await isRunning(pid)).toBe(false);
    expect(await query(server.ownerUrl, 'SELECT number FROM written')).toEqual({ number: 3 });
  } finally {
    await server.stop();
  }
});

test('the server that a killed application leaves with another password is stopped and reported', async () => {
  const dataDir = await emptyFolder();
  const { child, ownerUrl } = await startInOtherProcess(dataDir);
  const pid = await findPostmasterPid(dataDir);
  await query(ownerUrl, `ALTER ROLE interviews PASSWORD 'another'`);
  await killHard(child);
  await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(/differs from postgres-access\.json/);
  expect(await isRunning(pid)).toBe(false);
});
