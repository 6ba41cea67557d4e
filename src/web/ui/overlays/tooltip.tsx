import { Slot } from 'radix-ui';
import { type ReactNode, useId, useState } from 'react';
import { cn } from '#web/lib/cn.ts';

interface Props {
  text: string;
  className?: string;
  /** One element, which may be a disabled button. */
  children: ReactNode;
}

/**
 * A hint above an element on hover and focus. Escape hides it (WCAG 1.4.13). Unlike Radix's
 * tooltip, it works on disabled buttons.
 */
export function Tooltip({ text, className, children }: Props) {
  const id = useId();
  const [dismissed, setDismissed] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only observes the element inside
    <span
      className={cn('group/tooltip relative inline-flex', className)}
      onKeyDown={(event) => event.key === 'Escape' && setDismissed(true)}
      onPointerEnter={() => setDismissed(false)}
      onBlur={() => setDismissed(false)}
    >
      <Slot.Root aria-describedby={id}>{children}</Slot.Root>
      <span
        id={id}
        role="tooltip"
        className={cn(
          'pointer-events-none invisible absolute right-0 bottom-full z-60 mb-1 w-max max-w-64 rounded-md bg-ink px-2 py-1 text-xs text-surface opacity-0 shadow-pop transition-opacity delay-0 duration-100',
          !dismissed &&
            'group-has-focus-visible/tooltip:visible group-has-focus-visible/tooltip:opacity-100 group-hover/tooltip:visible group-hover/tooltip:opacity-100 group-hover/tooltip:delay-300',
        )}
      >
        {text}
      </span>
    </span>
  );
}
