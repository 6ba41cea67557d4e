import { expect, test } from 'vitest';
import { explain } from './embedded-postgres-error.ts';

test.each([
  'FATAL:  could not write lock file "postmaster.pid": No space left on device',
  'ENOSPC: no space left on device, write',
  'database or disk is full',
])('a full disk is said to be one, in whatever words: %s', (words) => {
  expect(explain(words, '/srv/data').message).toBe(
    'No space is left for the database in /srv/data. Free some, or set DATA_DIR to another disk.',
  );
});
