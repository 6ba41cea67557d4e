import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from './install-packages.mjs';
import { oneAtATime } from './one-at-a-time.mjs';
import { PlainError } from './plain-error.mjs';

/**
 * Makes `node_modules` what `package-lock.json` says. Does nothing when it is so already, whoever installed it.
 * `withTools: false` is content with an installation for production, `npm ci --omit=dev`.
 */
export async function ensurePackages(root, { withTools }) {
  if (areFresh(root, withTools)) return;
  await oneAtATime(root, 'install', async () => {
    if (areFresh(root, withTools)) return;
    await installPackages(root);
    remember(root, fingerprint(root));
  });
}

const markerIn = (root) => join(root, 'node_modules', '.installed-from');
/** Saves the comparison next time. An account that may not write here compares every time, which takes some milliseconds. */
function remember(root, text) {
  try {
    writeFileSync(markerIn(root), text);
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
  }
}

const textOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

function areFresh(root, withTools) {
  const wanted = fingerprint(root);
  if (textOf(markerIn(root)) === wanted) return true;
  if (!matchesLockfile(root, withTools)) return false;
  if (withTools) remember(root, wanted);
  return true;
}

function fingerprint(root) {
  const lockfile = textOf(join(root, 'package-lock.json'));
  if (!lockfile) throw new PlainError('package-lock.json is missing: this folder is not complete.');
  return `${createHash('sha256').update(lockfile).digest('hex')} ${process.platform}-${process.arch}`;
}

/** Compares with the list that npm leaves in `node_modules` when an installation is complete. */
function matchesLockfile(root, withTools) {
  const left = textOf(join(root, 'node_modules', '.package-lock.json'));
  if (!left) return false;
  const installed = JSON.parse(left).packages;
  const wanted = JSON.parse(textOf(join(root, 'package-lock.json'))).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || !isNeeded(entry, withTools)) return true;
    return installed[path]?.version === entry.version;
  });
}

function isNeeded({ dev, devOptional, optional, os, cpu, libc }, withTools) {
  if ((dev || devOptional) && !withTools) return false;
  if (!optional && !devOptional) return true;
  // npm leaves out what is for other machines; which C library this one has is not known here without asking at length.
  return Boolean(os?.includes(process.platform) && (!cpu || cpu.includes(process.arch)) && !libc);
}
