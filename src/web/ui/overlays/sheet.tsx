import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { CloseButton, Scrim, useReturnFocus } from './modal.tsx';

interface Props {
  onClose: () => void;
  title: string;
  children: ReactNode;
}

/** A modal panel that slides in from the left edge. */
export function Sheet({ onClose, title, children }: Props) {
  const focus = useReturnFocus();
  return (
    <Radix.Root open onOpenChange={() => onClose()}>
      <Radix.Portal>
        <Scrim />
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.restore}
          className="fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] flex-col overflow-y-auto bg-raised p-4 shadow-pop outline-none data-[state=open]:animate-slide-in data-[state=closed]:animate-fade-out"
        >
          <Radix.Title className="mb-4 pr-8 font-semibold">{title}</Radix.Title>
          {children}
          <CloseButton className="top-3.5 right-3.5" />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
