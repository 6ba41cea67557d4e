import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';

/**
 * The environment of a thread that parses untrusted data: no variable of the process, only the
 * folder of compiled modules, which halves the time a thread takes to start.
 */
export function threadEnvironment(): { NODE_COMPILE_CACHE?: string } {
  // Node adds a folder for its version to the one that it was given.
  const folder = getCompileCacheDir();
  return folder ? { NODE_COMPILE_CACHE: dirname(folder) } : {};
}
