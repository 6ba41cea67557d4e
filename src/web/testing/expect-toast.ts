import { waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { currentToasts } from '#web/lib/toast.ts';

/** Waits for exactly this toast in the list and for its text on the screen. */
export const expectToast = (title: string, description = '', kind: 'default' | 'destructive' = 'default') =>
  waitFor(() => {
    const open = currentToasts().filter((toast) => toast.open);
    expect(open.map((toast) => [toast.title, toast.description ?? '', toast.variant ?? 'default'])).toEqual([
      [title, description, kind],
    ]);
    expect(document.querySelector('[data-swipe-direction]')?.textContent).toContain(`${title}${description}`);
  });
