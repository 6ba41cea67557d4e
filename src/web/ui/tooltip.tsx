import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

interface Props {
  text: string;
  /** One focusable element. A disabled button takes no pointer: give it `aria-disabled` instead, or wrap it. */
  children: ReactNode;
  side?: 'top' | 'right' | 'bottom' | 'left';
}

/** A few words about the thing under the pointer or the focus. Needs a `TooltipProvider` above. */
export function Tooltip({ text, children, side = 'top' }: Props) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-60 max-w-64 animate-fade-in rounded-md bg-ink px-2 py-1 text-xs text-surface shadow-pop"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export const TooltipProvider = ({ children }: { children: ReactNode }) => (
  <Radix.Provider delayDuration={350} skipDelayDuration={200}>
    {children}
  </Radix.Provider>
);
