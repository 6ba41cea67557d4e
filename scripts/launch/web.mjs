import { fingerprintOf } from '../../src/server/bundle/fingerprint.mjs';
import { ensureBuilt } from './build.mjs';

/** Everything that decides what the built application is. */
const SOURCES = [
  'src/web',
  'src/contracts',
  'index.html',
  'vite.config.ts',
  'vite.first-load.ts',
  'package.json',
  'package-lock.json',
];

/** Builds the browser application into `dist/web` unless it is there and built from these very sources. */
export const ensureWeb = (root, node) =>
  ensureBuilt(
    { root, node },
    {
      name: 'web',
      title: 'the browser application',
      config: 'vite.config.ts',
      fingerprint: () => fingerprintOf(root, SOURCES),
    },
  );
