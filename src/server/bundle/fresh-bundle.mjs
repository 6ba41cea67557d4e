import { join } from 'node:path';
import { fingerprintOf, isBuiltFrom } from './fingerprint.mjs';

/** Everything that decides what the bundle is. */
const SOURCES = ['src/server', 'src/contracts', 'vite.server.config.ts', 'package.json', 'package-lock.json'];

export const serverFingerprint = (root) => fingerprintOf(root, SOURCES);

/** The folder of the server's bundle; null unless it is of just the sources that are here. */
export function freshServerBundle(root) {
  const folder = join(root, 'dist', 'server');
  return isBuiltFrom(folder, serverFingerprint(root)) ? folder : null;
}
