import { Dialog as Radix } from 'radix-ui';
import type { KeyboardEvent, ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';
import { useBackGuard } from '#web/lib/use-dialog.ts';
import { isFilledSearchBox } from '#web/ui/forms/search-input.tsx';
import { CloseButton, DIALOG_PANEL, Scrim, useReturnFocus } from './modal.tsx';

const WIDTHS = { sm: 'max-w-md', md: 'max-w-xl', lg: 'max-w-3xl', xl: 'max-w-5xl', '2xl': 'max-w-7xl' };

interface Props {
  /** Called by Escape, a click outside and the Close button, and by Back when `guardsBack`. */
  onClose: () => void;
  title: string;
  /** Shows the title in another form. */
  heading?: ReactNode;
  description?: ReactNode;
  children: ReactNode;
  /**
   * Set while `onClose` may keep the dialog open, as with unsaved text. Back then calls it too.
   */
  guardsBack?: boolean;
  /** Buttons below the body, always in view. */
  footer?: ReactNode;
  size?: keyof typeof WIDTHS;
  /** The body is text to read: it takes the focus, so that the keyboard can scroll it. */
  readable?: boolean;
  /** Returns the element to focus first. Default: the first focusable one. */
  startAt?: () => HTMLElement | null | undefined;
  /**
   * Receives the keys of this dialog before its elements do, but not the keys of a dialog above it.
   */
  onKey?: (event: KeyboardEvent<HTMLElement>) => void;
  /** Classes of the body. */
  className?: string;
}

/** True for a search box that Escape empties, and for a text field whose list it closes. */
const hasOwnEscape = (target: EventTarget | null): boolean =>
  isFilledSearchBox(target) || (target instanceof Element && target.matches('textarea[aria-expanded=true]'));

/** A modal dialog. Open it through the URL (`useDialog`), so that Back closes it. */
export function Dialog({
  onClose,
  title,
  heading = title,
  description,
  children,
  footer,
  guardsBack = false,
  size = 'md',
  readable,
  startAt,
  onKey,
  className,
}: Props) {
  const focus = useReturnFocus();
  useBackGuard(guardsBack, onClose);
  return (
    <Radix.Root open onOpenChange={() => onClose()}>
      <Radix.Portal>
        <Scrim className="z-50" />
        <Radix.Content
          onOpenAutoFocus={(event) => {
            focus.remember();
            const start = startAt?.();
            if (!start) return;
            event.preventDefault();
            start.focus();
          }}
          onCloseAutoFocus={focus.restore}
          onKeyDownCapture={(event) => event.currentTarget.contains(event.target as Node) && onKey?.(event)}
          onEscapeKeyDown={(event) => hasOwnEscape(event.target) && event.preventDefault()}
          {...(!description && { 'aria-describedby': undefined })}
          className={cn(DIALOG_PANEL, WIDTHS[size])}
        >
          <header className="shrink-0 px-5 pt-5 pr-12 pb-3 sm:px-6">
            <Radix.Title className="text-lg font-semibold">{heading}</Radix.Title>
            {description && <Radix.Description className="mt-1 text-muted">{description}</Radix.Description>}
          </header>
          <div
            {...(readable && { tabIndex: 0, role: 'region', 'aria-label': title })}
            className={cn(
              'min-h-0 grow overflow-y-auto px-5 pt-1 pb-4 -outline-offset-2 sm:px-6',
              // Room for the focus ring.
              readable && 'mx-2 -mt-1.5 rounded-md px-3 pt-2.5 sm:px-4',
              readable && !footer && 'mb-2 pb-3',
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
          <CloseButton className="top-4 right-4" />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
