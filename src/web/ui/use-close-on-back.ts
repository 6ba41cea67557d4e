import { useEffectEvent, useLayoutEffect } from 'react';
import { addModalStep } from '#web/lib/modal-steps.ts';

/** While `open`, the browser's Back closes the modal, the topmost first; `close` may ask before, or refuse. */
export function useCloseOnBack(open: boolean, close: () => void): void {
  const ask = useEffectEvent(close);
  useLayoutEffect(() => (open ? addModalStep(() => ask()) : undefined), [open]);
}
