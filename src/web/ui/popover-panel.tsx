import { Popover as Radix } from 'radix-ui';
import type { ReactNode, RefObject } from 'react';
import { cn } from '#web/lib/cn.ts';
import { landmarkOf } from '#web/ui/landmark-of.ts';

interface Props {
  anchor: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
  label: string;
  children: ReactNode;
  align?: 'start' | 'center' | 'end';
  className?: string;
}

/** The open panel of a `Popover`. */
export function PopoverPanel({ anchor, onClose, label, children, align = 'start', className }: Props) {
  return (
    <Radix.Root open onOpenChange={(open) => open || onClose()}>
      <Radix.Anchor virtualRef={anchor as RefObject<HTMLButtonElement>} />
      <Radix.Portal container={landmarkOf(anchor.current)}>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          // The button closes the panel itself; closing it here as well would open it again at once.
          onInteractOutside={(event) => {
            if (anchor.current?.contains(event.target as Node)) event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // A click elsewhere has already moved the focus to where the person wants it.
            if (document.activeElement === document.body) anchor.current?.focus();
          }}
          className={cn(
            'z-50 max-h-(--radix-popover-content-available-height) animate-pop-in overflow-y-auto rounded-lg bg-raised shadow-pop outline-none',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
