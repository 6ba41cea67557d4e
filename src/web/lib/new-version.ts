import { logError } from './log.ts';
import { createStore } from './store.ts';

/** The script of the page. Its name contains a hash of its content. */
const ENTRY = /\/assets\/index-[\w-]+\.js/;

const isOutdated = createStore(false);

/** True once the server serves another build than the one that runs in this tab. */
export const useIsOutdated = () => isOutdated.use();

/**
 * Compares the script that the server's page names with the one of this page. Resolves to true if
 * the server responded.
 */
export async function checkVersion(): Promise<boolean> {
  const running = document.querySelector('script[type=module][src]')?.getAttribute('src');
  try {
    const response = await fetch('/', { cache: 'no-store' });
    const served = ENTRY.exec(await response.text())?.[0];
    // The page of the development server names no such script.
    if (running && served && served !== running) isOutdated.set(true);
    return response.ok;
  } catch (error) {
    logError('The version of the server could not be read', error);
    return false;
  }
}
