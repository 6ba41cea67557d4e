import { waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { currentToasts } from '#web/lib/toast-store.ts';

/** Waits for this toast, word for word and of this kind, and for its words on the screen. */
export const expectToast = (title: string, description = '', kind: 'default' | 'destructive' = 'default') =>
  waitFor(() => {
    const open = currentToasts().filter((toast) => toast.open);
    expect(open.map((toast) => [toast.title, toast.description ?? '', toast.variant ?? 'default'])).toEqual([
      [title, description, kind],
    ]);
    expect(document.querySelector('[data-swipe-direction]')?.textContent).toContain(`${title}${description}`);
  });
