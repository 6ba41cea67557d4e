import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFunnel, listFunnels, updateFunnel } from '#contracts/funnels.ts';
import { CLI, spawnCommand } from '#support/commands.ts';
import type { ProductProcess } from '#support/start-process.ts';
import { activateFunnelOf, chance, setStage } from './support/stage.ts';

const FUNNEL = 'warehouse';
const KILLS = 4;

const apiKeys = async (product: ProductProcess) =>
  (await product.call(listFunnels, {})).map(({ apiKey }) => apiKey).sort();
const form = (apiKey: string) => ({ name: `Funnel ${apiKey}`, funnelId: apiKey, apiKey });

const hasNextKey = async (dataDir: string) => (await readdir(dataDir)).some((name) => name.endsWith('.next'));

/** Kills a rotation `ms` after the next key is stored. An interrupted one may have stored it. */
async function killDuringRotation(child: ChildProcess, dataDir: string, ms: number): Promise<void> {
  while (child.exitCode === null && !(await hasNextKey(dataDir))) await pause(1);
  await pause(ms);
  child.kill('SIGKILL');
}

test(`every key stays readable after ${KILLS} kills of a rotation while funnels are written, and the next run continues`, async () => {
  const stage = await setStage();
  const product = await stage.start();
  const id = await activateFunnelOf(product, stage.sandbox, FUNNEL);
  const moment = chance('key rotations');
  const written: string[] = [];
  let interrupted = 0;
  for (let round = 0; round < KILLS; round += 1) {
    const env = { PATH: process.env.PATH, ...stage.env };
    const child = spawn(process.execPath, [CLI, 'keys:rotate'], { env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    const killed = killDuringRotation(child, stage.env.DATA_DIR, round * moment() * 50);
    const key = `written-${round}`;
    written.push(key);
    await product.call(createFunnel, { body: form(key) });
    await product.call(updateFunnel, { params: { id }, body: { ...form('edited'), funnelId: FUNNEL } });
    await Promise.all([ended, killed]);
    if (await hasNextKey(stage.env.DATA_DIR)) interrupted += 1;
    expect(await apiKeys(product), `round ${round}`).toEqual(['edited', ...written]);
  }
  expect(interrupted).toBeGreaterThan(0);
  expect((await spawnCommand(['keys:rotate'], stage.env)).code).toBe(0);
  expect(await hasNextKey(stage.env.DATA_DIR)).toBe(false);
  await product.terminate();
  expect(await apiKeys(await stage.start())).toEqual(['edited', ...written]);
});
