import { test } from 'vitest';
import { expectStopWithLauncher } from '#support/start-by.ts';

test('scripts/demo.ts shuts down when its launcher is killed', () => expectStopWithLauncher('scripts/demo.ts'));
