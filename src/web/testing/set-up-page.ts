import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { resetStores } from '#web/lib/store.ts';

// Pages and dialogs load when they open, which can be slow the first time.
configure({
  asyncUtilTimeout: 15_000,
  // A query that waits fails many times. Printing the whole page took a tenth of the tests' time.
  getElementError: (message, container) => {
    // Without a message, the container is one of several elements that match.
    if (message === null) return new Error(container.outerHTML);
    // The container of `waitFor` is the document, whose `textContent` is empty.
    const { textContent } = container.querySelector('body') ?? container;
    return new Error(`${message}\n\nThe page reads: ${textContent}`);
  },
});

/**
 * The next test, also one of another file, uses the same modules and the same window. A test
 * restores what it changes beyond this. No test mocks a module: others would load it.
 */
afterEach(async () => {
  try {
    // Ends the responses of `serve`.
    vi.stubGlobal('fetch', () => new Promise(() => {}));
    cleanup();
  } finally {
    vi.useRealTimers();
    // An earlier response may still show a toast.
    await new Promise((resolve) => setTimeout(resolve));
    resetStores();
    delete document.documentElement.dataset.theme;
    sessionStorage.clear();
    localStorage.clear();
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  }
});
