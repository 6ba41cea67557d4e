import { waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { currentToasts, type ToastContent } from '#web/lib/toast.ts';

/** Waits for exactly this toast in the list and for its text on the screen. */
export const expectToast = (title: string, description = '', kind: ToastContent['variant'] = 'default') =>
  waitFor(() => {
    const open = currentToasts().filter((toast) => toast.open);
    expect(open.map((toast) => [toast.title, toast.description ?? '', toast.variant ?? 'default'])).toEqual([
      [title, description, kind],
    ]);
    expect(document.querySelector('[data-swipe-direction]')?.textContent).toContain(`${title}${description}`);
  });
