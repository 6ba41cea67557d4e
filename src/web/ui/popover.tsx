import { Popover as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';

interface Props {
  /** One button-like element. */
  trigger: ReactNode;
  /** What the panel is, for screen readers. */
  label: string;
  children: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  align?: 'start' | 'center' | 'end';
  className?: string;
}

/** A panel on a button, for what is more than a menu. */
export function Popover({ trigger, label, children, open, onOpenChange, align = 'start', className }: Props) {
  return (
    <Radix.Root {...(open !== undefined && { open })} {...(onOpenChange && { onOpenChange })}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className={cn(
            'z-50 max-h-(--radix-popover-content-available-height) overflow-y-auto rounded-lg bg-raised shadow-pop outline-none data-[state=open]:animate-pop-in',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
