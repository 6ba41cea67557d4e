import { type ReactNode, useDeferredValue } from 'react';
import { Redirect } from 'wouter';
import type { User } from '#contracts/session.ts';
import { useSession } from '#web/features/session/session.ts';
import { Spinner } from '#web/ui/feedback/loading.tsx';

/** Renders its children for a signed-in user and redirects others to the login. */
export function Protected({ children }: { children: (user: User) => ReactNode }) {
  const { user, isLoading } = useSession();
  // A deferred value renders the first page in slices, so that the browser can paint and handle
  // input.
  const shown = useDeferredValue(user);
  if (isLoading || (user && !shown)) {
    return (
      <div className="grid min-h-dvh place-items-center text-muted">
        <Spinner label="Loading" className="size-6" />
      </div>
    );
  }
  return user ? children(user) : <Redirect to="/login" replace />;
}
