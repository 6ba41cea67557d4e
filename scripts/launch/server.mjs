import { serverFingerprint } from '../../src/server/bundle/fresh-bundle.mjs';
import { canBuild, ensureBuilt } from './build.mjs';

/**
 * Bundles the server into `dist/server` unless that is done. The server only starts quicker with it (docs/decisions/0005), so whatever
 * keeps it from being built keeps nobody from starting.
 */
export async function ensureServer(root, node) {
  if (!canBuild(root)) return;
  const build = {
    name: 'server',
    title: 'the server',
    config: 'vite.server.config.ts',
    fingerprint: () => serverFingerprint(root),
  };
  await ensureBuilt({ root, node }, build).catch((error) =>
    console.error(`${error.message}\nThe server starts from its sources instead.`),
  );
}
