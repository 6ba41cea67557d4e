import { CircleAlert, CircleCheck, TriangleAlert, X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { useEffect } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { cn } from '#web/lib/cn.ts';
import { currentToasts, DURATION_MS, dismissToast, removeToast, type ShownToast, useToasts } from '#web/lib/toast.ts';

/** Where the toasts appear. Mounted once, by the app. */
export function Toaster() {
  const toasts = useToasts();
  useEffect(() => {
    addEventListener('keydown', removeForEscape, true);
    return () => removeEventListener('keydown', removeForEscape, true);
  }, []);
  if (toasts.length === 0) return null;
  return (
    <Toast.Provider duration={DURATION_MS} swipeDirection="right" label="Notification">
      {toasts.map((shown) => (
        <ToastCard key={shown.id} shown={shown} />
      ))}
      {createPortal(
        // A modal dialog hides the rest of the page from screen readers, except live regions.
        <div aria-live="off">
          {/* Above the page a toast is in the free part of the header, where it covers nothing. Narrow headers
              have none: there it is at the bottom, above the bulk bar (theme.css). Above a dialog it is at the
              bottom center, unless it was in the header when the dialog opened; on phones, whose dialogs are
              at the bottom, on top. On the sign-in page, which has no header, it is at the top center. */}
          <Toast.Viewport
            data-above-dialog={toasts[0]?.isAboveDialog}
            className="toasts fixed top-0 right-0 z-60 flex w-full flex-col p-2 outline-none sm:w-104 sm:p-1 xl:right-[max(10.5rem,50vw-29.5rem)] sm:[html:not(:has([data-shell]))_&]:inset-x-0 sm:[html:not(:has([data-shell]))_&]:mx-auto"
          />
        </div>,
        document.body,
      )}
    </Toast.Provider>
  );
}

/**
 * Escape closes a dialog before a toast. The toast is above the dialog and would handle the key, so
 * it is removed first.
 */
function removeForEscape({ key }: KeyboardEvent): void {
  if (key !== 'Escape' || !document.querySelector('[role=dialog], [role=alertdialog]')) return;
  const [shown] = currentToasts();
  if (shown?.open) flushSync(() => removeToast(shown.id));
}

const LOOKS = {
  default: { Icon: CircleCheck, tone: 'text-success' },
  warning: { Icon: TriangleAlert, tone: 'text-warning-ink' },
  destructive: { Icon: CircleAlert, tone: 'text-danger-ink' },
} as const;

function ToastCard({ shown }: { shown: ShownToast }) {
  const destructive = shown.variant === 'destructive';
  const { Icon, tone } = LOOKS[shown.variant ?? 'default'];
  return (
    <Toast.Root
      open={shown.open}
      onOpenChange={(open) => open || dismissToast(shown.id)}
      type={destructive ? 'foreground' : 'background'}
      {...(shown.duration !== undefined && { duration: shown.duration })}
      className={cn(
        // Modal dialogs disable pointer events elsewhere; a toast stays usable above them.
        'group/toast bordered pointer-events-auto relative flex items-center gap-3 rounded-lg bg-raised py-1.5 pr-11 pl-3.5 shadow-pop data-[state=open]:animate-pop-in data-[state=closed]:animate-fade-out',
        'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0',
        destructive && 'border-l-3 border-danger',
      )}
    >
      <Icon aria-hidden className={cn('size-4 shrink-0', tone)} />
      <div className="min-w-0 grow">
        <Toast.Title className="leading-5 font-medium">{shown.title}</Toast.Title>
        {shown.description && (
          // Two lines fit above the controls of the page. Pointing at the toast shows the others.
          <Toast.Description className="line-clamp-2 text-xs leading-4 break-words text-muted group-focus-within/toast:line-clamp-none group-hover/toast:line-clamp-none group-active/toast:line-clamp-none">
            {shown.description}
          </Toast.Description>
        )}
      </div>
      {shown.action && (
        <Toast.Action
          altText={shown.action.label}
          onClick={shown.action.onClick}
          className="shrink-0 rounded-md px-2.5 py-1 text-sm font-medium text-accent-ink hover:bg-hover"
        >
          {shown.action.label}
        </Toast.Action>
      )}
      <Toast.Close
        aria-label="Close"
        className="touch-beyond absolute top-1/2 right-3 grid size-6 -translate-y-1/2 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
      >
        <X aria-hidden className="size-4" />
      </Toast.Close>
    </Toast.Root>
  );
}
