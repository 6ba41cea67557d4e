// @ts-check
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LaunchError, ROOT } from './run-program.mjs';

const LOCK_RENEWAL_MS = 1_000;
const LOCK_TIMEOUT_MS = 15_000;

/**
 * Runs `work` while no other launcher holds the lock.
 * @param {() => Promise<unknown>} work
 */
export async function withLock(work, lock = join(ROOT, 'dist', '.launch-lock')) {
  fs.mkdirSync(dirname(lock), { recursive: true });
  for (let isWaiting = false; !acquireLock(lock); isWaiting = true) {
    if (!isWaiting) console.error('Another process is installing or building here. Waiting for it.');
    await sleep(200);
  }
  const renewal = setInterval(() => fs.utimes(lock, new Date(), new Date(), () => {}), LOCK_RENEWAL_MS);
  const release = () => fs.rmSync(lock, { recursive: true, force: true });
  process.once('exit', release);
  await work().finally(() => clearInterval(renewal));
  process.removeListener('exit', release);
  release();
}

function acquireLock(/** @type {string} */ lock) {
  const renewedAt = fs.statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  // The process that held the lock was killed.
  if (Date.now() - renewedAt > LOCK_TIMEOUT_MS) fs.rmSync(lock, { recursive: true, force: true });
  try {
    fs.mkdirSync(lock);
    return true;
  } catch (/** @type {any} */ error) {
    if (error.code === 'EEXIST') return false;
    throw new LaunchError(`Cannot install or build: ${error.message}`);
  }
}
