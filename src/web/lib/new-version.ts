import { useSyncExternalStore } from 'react';
import { logError } from './log.ts';

/** The entry in the page of the server. Its name contains a hash of its content. */
const ENTRY = /\/assets\/index-[\w-]+\.js/;

let isOutdated = false;
const watchers = new Set<() => void>();

/** True once the server has been seen to serve another build than the one that runs here. */
export const useIsOutdated = () => useSyncExternalStore(watch, () => isOutdated);

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/**
 * Compares the entry that the server names now with the one of this page. Resolves to true if the
 * server answered.
 */
export async function checkVersion(): Promise<boolean> {
  const running = document.querySelector('script[type=module][src]')?.getAttribute('src');
  try {
    const response = await fetch('/', { cache: 'no-store' });
    const served = ENTRY.exec(await response.text())?.[0];
    // The development server names no hashed entry.
    if (running && served && served !== running) {
      isOutdated = true;
      for (const watcher of watchers) watcher();
    }
    return response.ok;
  } catch (error) {
    logError('The version of the server could not be read', error);
    return false;
  }
}
