import { lazy, Suspense, useSyncExternalStore } from 'react';
import { currentToasts, watchToasts } from '#web/lib/toast-store.ts';

export { toast, toastNews } from '#web/lib/toast-store.ts';

const ToastList = lazy(() => import('#web/lib/toast-list.tsx').then((m) => ({ default: m.ToastList })));

/** Where the toasts appear. Mounted once, by the app. */
export function Toaster() {
  const needed = useSyncExternalStore(watchToasts, () => currentToasts().length > 0);
  return <Suspense>{needed && <ToastList />}</Suspense>;
}
