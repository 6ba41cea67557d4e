import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';
import { DIALOG_PANEL } from '#web/ui/dialog-looks.ts';
import { Scrim } from '#web/ui/scrim.tsx';
import { isWrittenSearch } from '#web/ui/search-input.tsx';
import { useCloseOnBack } from '#web/ui/use-close-on-back.ts';
import { useReturnFocus } from '#web/ui/use-return-focus.ts';

const WIDTHS = { sm: 'max-w-md', md: 'max-w-xl', lg: 'max-w-3xl', xl: 'max-w-5xl', '2xl': 'max-w-7xl' };

interface Props {
  open: boolean;
  /** Asked for by Escape, Back, a click outside, or the cross. */
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  /** Buttons at the foot, which stays in view while the body scrolls. */
  footer?: ReactNode;
  size?: keyof typeof WIDTHS;
  /** The body is a text to read: the keyboard can scroll it. */
  readable?: boolean;
  /** Finds what one begins with, where that is not the first thing that takes the focus. */
  startAt?: () => HTMLElement | null | undefined;
  /** Classes of the body. */
  className?: string;
}

/** A modal dialog. The focus goes into it and comes back to where it was, also when a menu opened it. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  size = 'md',
  readable,
  startAt,
  className,
}: Props) {
  const focus = useReturnFocus();
  useCloseOnBack(open, () => onOpenChange(false));
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Scrim />
        <Radix.Content
          onOpenAutoFocus={(event) => {
            focus.remember();
            const start = startAt?.();
            if (!start) return;
            event.preventDefault();
            start.focus();
          }}
          onCloseAutoFocus={focus.giveBack}
          onEscapeKeyDown={(event) => isWrittenSearch(event.target) && event.preventDefault()}
          {...(!description && { 'aria-describedby': undefined })}
          className={cn(DIALOG_PANEL, WIDTHS[size])}
        >
          <header className="shrink-0 px-5 pt-5 pr-12 sm:px-6">
            <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
            {description && <Radix.Description className="mt-1 text-muted">{description}</Radix.Description>}
          </header>
          <div
            {...(readable && { tabIndex: 0, role: 'region', 'aria-label': title })}
            className={cn(
              'min-h-0 grow overflow-y-auto px-5 py-4 -outline-offset-2 sm:px-6',
              // Room between the words of the head and the ring of the focus.
              readable && 'mx-2 mt-2 rounded-md px-3 pt-2 sm:px-4',
              className,
            )}
          >
            {children}
          </div>
          {footer && (
            <footer className="flex shrink-0 flex-wrap justify-end gap-2 border-t border-line px-5 py-3.5 sm:px-6">
              {footer}
            </footer>
          )}
          <Radix.Close
            aria-label="Close"
            className="touch-beyond absolute top-4 right-4 grid size-7.5 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
          >
            <X aria-hidden className="size-4" />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
