import { parseArgs } from 'node:util';
import { runStep, tool } from './steps/run-steps.ts';

/**
 * `npm run test:fuzz -- --requests 200000 --seed 7`: the fuzz tests of the suite with more requests
 * and another seed.
 */
const { values } = parseArgs({ options: { requests: { type: 'string' }, seed: { type: 'string' } } });
const requests = Number(values.requests ?? 200_000);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
if (!(Number.isInteger(requests) && requests > 0 && Number.isInteger(seed))) {
  throw new Error('--requests and --seed must be whole numbers.');
}

console.log(`${requests} requests with seed ${seed}`);
const isFine = await runStep({
  heading: `Fuzz tests with seed ${seed}`,
  command: [tool('vitest/vitest.mjs'), 'run', 'test/fuzz'],
  environment: { FUZZ_REQUESTS: String(requests), FUZZ_SEED: String(seed) },
});
process.exitCode = isFine ? 0 : 1;
