import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { threadEnvironment } from './thread-environment.ts';

test('a thread gets no variable of the process except the folder of compiled modules', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('ENCRYPTION_KEY', 'a secret');
  const script = `require('node:worker_threads').parentPort.postMessage(Object.keys(process.env))`;

  const [names] = await once(new Worker(script, { eval: true, env: threadEnvironment() }), 'message');

  expect(names.filter((name: string) => name !== 'NODE_COMPILE_CACHE')).toEqual([]);
});
