import { createStore } from './store.ts';

/** Section 9 of the specification. */
const MAX_VISIBLE = 1;
const REMOVAL_DELAY_MS = 1_000_000;
const MAX_WAITING_FAILURES = 10;
export const DURATION_MS = 5_000;
/** As long as a reader needs for a sentence. */
const READING_MS = 1_500;

export interface ToastAction {
  label: string;
  onClick: () => void;
  /** True if the action only opens something: unlike Undo, `toastNews` then replaces the toast. */
  isLink?: boolean;
}
export interface ToastContent {
  title: string;
  description?: string | undefined;
  variant?: 'default' | 'warning' | 'destructive';
  action?: ToastAction;
  /** In milliseconds; 5,000 by default. */
  duration?: number;
  /** News replaces this toast after `READING_MS` at the earliest. */
  needsReading?: boolean;
}
export interface ShownToast extends ToastContent {
  id: number;
  open: boolean;
  shownAt: number;
  /** True if a dialog was open when it appeared. Otherwise it stays where it is when one opens. */
  isAboveDialog: boolean;
}

const toasts = createStore<readonly ShownToast[]>([]);
const lastId = createStore(0);
/** Messages that wait until the current toast closes: failures, and the last other message. */
const waiting = createStore<readonly ToastContent[]>([]);

export const currentToasts = toasts.get;
export const useToasts = () => toasts.use();

/** Shows a message in place of the current one. */
export function toast(content: ToastContent): void {
  waiting.set(waiting.get().filter(isFailure));
  lastId.set(lastId.get() + 1);
  const isAboveDialog = document.querySelector('[data-scrim]') !== null;
  const shown = { ...content, id: lastId.get(), open: true, shownAt: Date.now(), isAboveDialog };
  toasts.set([shown, ...toasts.get()].slice(0, MAX_VISIBLE));
}

/** For `onError` of a call: shows what failed, such as `Couldn't save the view`, and why. */
export const toastFailure =
  (failed: string, title = 'Error') =>
  ({ message }: { message: string }): void =>
    toast({ title, description: `${failed}: ${message}`, variant: 'destructive' });

const isFailure = ({ variant }: ToastContent) => variant === 'destructive';
const hasDecision = ({ action }: ToastContent) => action !== undefined && !action.isLink;

/**
 * Shows the end of work on the server. The toast waits while the current one is a failure or has an
 * action such as Undo, or while it is being read.
 */
export function toastNews(content: ToastContent): void {
  const [shown] = toasts.get();
  const readingMs = shown?.open && shown.needsReading ? shown.shownAt + READING_MS - Date.now() : 0;
  if (readingMs > 0) setTimeout(() => toastNews(content), readingMs);
  else if (shown?.open && (hasDecision(shown) || isFailure(shown)))
    waiting.set([...waiting.get().filter(isFailure).slice(-MAX_WAITING_FAILURES), content]);
  else toast(content);
}

function showWaiting(): void {
  const [next, ...rest] = waiting.get();
  if (!next) return;
  toast(next);
  waiting.set(rest);
}

/** Closes a toast. It stays in the list, closed, for the removal delay. */
export function dismissToast(id: number): void {
  const isOpen = toasts.get().some((shown) => shown.id === id && shown.open);
  toasts.set(toasts.get().map((shown) => (shown.id === id ? { ...shown, open: false } : shown)));
  showWaiting();
  if (isOpen) setTimeout(() => toasts.set(toasts.get().filter((shown) => shown.id !== id)), REMOVAL_DELAY_MS);
}

/** Runs the action of the current toast, such as Undo. Does not open links. */
export function runToastAction(): void {
  const [shown] = toasts.get();
  if (!shown?.open || !hasDecision(shown)) return;
  shown.action?.onClick();
  dismissToast(shown.id);
}

/** Removes a toast immediately, without its closing animation. */
export function removeToast(id: number): void {
  toasts.set(toasts.get().filter((shown) => shown.id !== id));
  showWaiting();
}
