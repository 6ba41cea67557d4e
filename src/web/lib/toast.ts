/** Section 9 of the specification. */
const MAX_VISIBLE = 1;
const REMOVAL_DELAY_MS = 1_000_000;
export const DURATION_MS = 5_000;

export interface ToastContent {
  title: string;
  description?: string | undefined;
  variant?: 'default' | 'destructive';
  action?: { label: string; onClick: () => void };
  /** In milliseconds; 5,000 by default. */
  duration?: number;
}
export interface ShownToast extends ToastContent {
  id: number;
  open: boolean;
}

let toasts: readonly ShownToast[] = [];
let lastId = 0;
let waiting: ToastContent | null = null;
const listeners = new Set<() => void>();
const removals = new Map<number, ReturnType<typeof setTimeout>>();

function update(next: readonly ShownToast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a message in place of the current one. */
export function toast(content: ToastContent): void {
  waiting = null;
  lastId += 1;
  update([{ ...content, id: lastId, open: true }, ...toasts].slice(0, MAX_VISIBLE));
}

/**
 * Shows news from the server. It waits while the current toast has an action such as Undo, which
 * news must not replace.
 */
export function toastNews(content: ToastContent): void {
  const [shown] = toasts;
  if (shown?.open && shown.action) waiting = content;
  else toast(content);
}

/** Closes a toast. It stays in the list, closed, for the removal delay. */
export function dismissToast(id: number): void {
  update(toasts.map((shown) => (shown.id === id ? { ...shown, open: false } : shown)));
  if (waiting) toast(waiting);
  if (removals.has(id)) return;
  const timer = setTimeout(() => {
    removals.delete(id);
    update(toasts.filter((shown) => shown.id !== id));
  }, REMOVAL_DELAY_MS);
  removals.set(id, timer);
}

/** Removes a toast immediately, without its closing animation. */
export function removeToast(id: number): void {
  update(toasts.filter((shown) => shown.id !== id));
  if (waiting) toast(waiting);
}

export const currentToasts = () => toasts;

export function watchToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
