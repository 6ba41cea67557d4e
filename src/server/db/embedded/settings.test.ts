import { expect, test } from 'vitest';
import { sharedBuffersMb } from './settings.ts';

test.each([
  [1, 64],
  [2, 64],
  [4, 128],
  [8, 256],
  [16, 256],
  [64, 256],
])('a machine of %i GB gives the database %i MB to remember pages in', (gigabytes, megabytes) => {
  expect(sharedBuffersMb(gigabytes * 2 ** 30)).toBe(megabytes);
});
