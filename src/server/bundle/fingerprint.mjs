import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const IS_TEST = /\.test\.tsx?$|^testing$/;

/** Where a build notes what it was built from. */
export const markerIn = (folder) => join(folder, '.built-from');

/** Whether the build in the folder is of just these sources. */
export function isBuiltFrom(folder, fingerprint) {
  const marker = markerIn(folder);
  return existsSync(marker) && readFileSync(marker, 'utf8') === fingerprint;
}

/** Of files and folders, without their tests. By content: a fresh clone gives every file a new time. */
export function fingerprintOf(root, sources) {
  const hash = createHash('sha256');
  for (const source of sources) addTo(hash, root, source);
  return hash.digest('hex');
}

function addTo(hash, root, path) {
  const full = join(root, path);
  if (statSync(full).isDirectory()) addFolder(hash, root, path);
  else hash.update(`${path}\n`).update(readFileSync(full));
}

function addFolder(hash, root, path) {
  const entries = readdirSync(join(root, path), { withFileTypes: true }).filter(({ name }) => !IS_TEST.test(name));
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const inside = `${path}/${entry.name}`;
    if (entry.isDirectory()) addFolder(hash, root, inside);
    else hash.update(`${inside}\n`).update(readFileSync(join(root, inside)));
  }
}
