import { test } from 'vitest';
import { expectStopWithLauncher } from './support/start-by.ts';

test('src/server/main.mjs shuts down when its launcher is killed', { timeout: 60_000 }, () =>
  expectStopWithLauncher('src/server/main.mjs'),
);
