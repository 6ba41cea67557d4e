import { Slot } from 'radix-ui';
import { type ReactNode, useId, useState } from 'react';
import { cn } from '#web/lib/cn.ts';

const SIDES = {
  top: 'bottom-full left-1/2 mb-1.5 -translate-x-1/2',
  bottom: 'top-full left-1/2 mt-1.5 -translate-x-1/2',
  left: 'top-1/2 right-full mr-1.5 -translate-y-1/2',
  right: 'top-1/2 left-full ml-1.5 -translate-y-1/2',
};

interface Props {
  text: string;
  /** One element, which may be a disabled button. */
  children: ReactNode;
  side?: keyof typeof SIDES;
  className?: string;
}

/**
 * A hint on hover and focus. Escape hides it (WCAG 1.4.13). Unlike that of Radix it works on
 * disabled buttons.
 */
export function Tooltip({ text, children, side = 'top', className }: Props) {
  const id = useId();
  const [dismissed, setDismissed] = useState(false);
  return (
    // The span only observes events of the element inside.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
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
          'pointer-events-none invisible absolute z-60 w-max max-w-64 rounded-md bg-ink px-2 py-1 text-xs text-surface opacity-0 shadow-pop transition-opacity delay-0 duration-100',
          SIDES[side],
          !dismissed &&
            'group-has-focus-visible/tooltip:visible group-has-focus-visible/tooltip:opacity-100 group-hover/tooltip:visible group-hover/tooltip:opacity-100 group-hover/tooltip:delay-300',
        )}
      >
        {text}
      </span>
    </span>
  );
}
