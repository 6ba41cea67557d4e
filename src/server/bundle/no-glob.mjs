/**
 * Stands for `glob` in the bundle: `@fastify/static` loads it at once, a thirtieth of a start, and uses it only where it lists its folder
 * before serving (`wildcard: false`), which ours never does.
 */
export async function glob() {
  throw new Error(
    'The bundle has no glob: serve folders with a wildcard, or take the alias out of vite.server.config.ts.',
  );
}
