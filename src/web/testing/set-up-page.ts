import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { currentToasts, removeToast } from '#web/lib/toast.ts';

// Pages and dialogs load when they open, which can be slow the first time.
configure({
  asyncUtilTimeout: 15_000,
  // A query that waits fails many times. Printing all elements took a tenth of the tests' time.
  getElementError: (message, container) => new Error(`${message}\n\nThe page reads: ${container.textContent}`),
});

/** The next test, also one of another file, uses the same modules and the same window. */
afterEach(() => {
  cleanup();
  for (let [shown] = currentToasts(); shown; [shown] = currentToasts()) removeToast(shown.id);
  sessionStorage.clear();
  localStorage.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
