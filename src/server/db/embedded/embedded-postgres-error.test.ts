import { expect, test } from 'vitest';
import { translateOutput } from './embedded-postgres-error.ts';

test.each([
  'FATAL:  could not write lock file "postmaster.pid": No space left on device',
  'ENOSPC: no space left on device, write',
  'database or disk is full',
])('a full disk is recognized in the message: %s', (words) => {
  expect(translateOutput(words, '/srv/data').message).toBe(
    'No space is left for the database in /srv/data. Free some space, or set DATA_DIR to another disk.',
  );
});
