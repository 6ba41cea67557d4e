import { expect, test } from 'vitest';
import { maxConnections, sharedBuffersMb } from './settings.ts';

test.each([
  [1, 64],
  [2, 64],
  [4, 128],
  [8, 256],
  [16, 256],
  [64, 256],
])('a machine with %i GB of memory gets %i MB of shared buffers', (gigabytes, megabytes) => {
  expect(sharedBuffersMb(gigabytes * 2 ** 30)).toBe(megabytes);
});

test.each([
  [1, 60],
  [12, 60],
  [40, 60],
  [41, 61],
  [200, 220],
])('a pool of %i connections gets a server with %i', (poolSize, connections) => {
  expect(maxConnections(poolSize)).toBe(connections);
});
