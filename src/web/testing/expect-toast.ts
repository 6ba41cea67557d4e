import { waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { currentToasts, type ToastContent } from '#web/lib/toast.ts';

/** Waits for exactly this toast in the list and on the screen, and until it can be clicked. */
export const expectToast = (title: string, description = '', kind: ToastContent['variant'] = 'default') =>
  waitFor(() => {
    const open = currentToasts().filter((toast) => toast.open);
    expect(open.map((toast) => [toast.title, toast.description ?? '', toast.variant ?? 'default'])).toEqual([
      [title, description, kind],
    ]);
    const shown = document.querySelector('[data-swipe-direction]');
    expect(shown?.textContent).toContain(`${title}${description}`);
    // Its region ignores clicks until an effect has counted the toast.
    expect(shown?.closest<HTMLElement>('[role=region]')?.style.pointerEvents).not.toBe('none');
  });
