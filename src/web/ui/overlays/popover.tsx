import { Popover as Radix } from 'radix-ui';
import { type ReactNode, useRef, useState } from 'react';
import { cn } from '#web/lib/cn.ts';
import { hasFocusMoved, landmarkOf } from './modal.tsx';

interface Props {
  /** One button-like element. */
  trigger: ReactNode;
  /** The name of the panel, for screen readers. */
  label: string;
  children: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** On small screens the panel is a sheet at the bottom, like dialogs (theme.css). */
  sheetOnSmall?: boolean;
  className?: string;
}

/** A panel on a button, for more than a menu. */
export function Popover({ trigger, label, children, open, onOpenChange, sheetOnSmall = false, className }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const [container, setContainer] = useState<HTMLElement | null>(null);
  return (
    <Radix.Root
      {...(open !== undefined && { open })}
      onOpenChange={(next) => {
        setContainer(landmarkOf(button.current));
        onOpenChange?.(next);
      }}
    >
      <Radix.Trigger asChild ref={button}>
        {trigger}
      </Radix.Trigger>
      <Radix.Portal container={container}>
        <Radix.Content
          aria-label={label}
          align="start"
          sideOffset={6}
          collisionPadding={8}
          onCloseAutoFocus={(event) => hasFocusMoved(button.current) && event.preventDefault()}
          className={cn(
            'z-50 max-h-(--radix-popover-content-available-height) data-[state=open]:animate-pop-in data-[state=closed]:animate-fade-out overflow-y-auto rounded-lg bg-raised shadow-pop outline-none',
            sheetOnSmall && 'sheet-on-small',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
