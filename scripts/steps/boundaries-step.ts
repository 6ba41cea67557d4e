import { resolve } from 'node:path';
import { type Step, tool } from './run-steps.ts';

const HERE = import.meta.dirname;

/** The arguments that make Node check which room of `src` imports which; the folder it runs in is the one it checks. */
export const boundariesCommand = (report: 'err-long' | 'json'): Step['command'] => [
  '--import',
  resolve(HERE, '../check/read-imports.mjs'),
  tool('dependency-cruiser/bin/dependency-cruise.mjs'),
  `--config=${resolve(HERE, '../../.dependency-cruiser.cjs')}`,
  `--output-type=${report}`,
  'src',
];
