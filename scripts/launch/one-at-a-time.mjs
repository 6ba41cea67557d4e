import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PlainError } from './plain-error.mjs';

const ASK_AGAIN_MS = 200;
/** Between making the folder and naming itself in it, a process can only be for a moment. */
const NAMELESS_MS = 5_000;
/** Whoever holds it says so this often. After a power cut, or in a container, its process id soon belongs to somebody else. */
const SIGN_OF_LIFE_MS = 5_000;
const SILENT_MS = 60_000;

/** Does the work while no other process does work of this name in this folder; says once that it waits. */
export async function oneAtATime(root, name, work) {
  const lock = join(root, 'dist', `.${name}-lock`);
  for (let waited = false; !take(lock); waited = true) {
    if (!waited) console.error(`Another process is at this already (${name}); waiting for it.`);
    await pause(ASK_AGAIN_MS);
  }
  const free = () => rmSync(lock, { recursive: true, force: true });
  process.once('exit', free);
  const life = setInterval(() => utimes(lock, new Date(), new Date()).catch(() => {}), SIGN_OF_LIFE_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(life);
    process.removeListener('exit', free);
    free();
  }
}

/** Making a folder either succeeds for exactly one process or fails. A lock whose holder is gone is freed first. */
function take(lock) {
  if (holderIsGone(lock)) rmSync(lock, { recursive: true, force: true });
  try {
    mkdirSync(dirname(lock), { recursive: true });
    mkdirSync(lock);
    writeFileSync(join(lock, 'pid'), String(process.pid));
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw new PlainError(
      `${dirname(lock)} cannot be written (${error.code}). Give this account the folder, or build as the account that owns it.`,
    );
  }
}

function holderIsGone(lock) {
  const silentMs = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (silentMs > SILENT_MS) return true;
  try {
    process.kill(Number(readFileSync(join(lock, 'pid'), 'utf8')), 0);
    return false;
  } catch (error) {
    if (error.code !== 'ENOENT') return error.code === 'ESRCH';
    return silentMs > NAMELESS_MS;
  }
}
