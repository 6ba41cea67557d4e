import { type ReactNode, useDeferredValue } from 'react';
import { Redirect } from 'wouter';
import type { User } from '#contracts/session.ts';
import { useSession } from '#web/features/session/session.ts';
import { Spinner } from '#web/ui/spinner.tsx';

/** Shows its children to a signed-in user only; anybody else goes to the login. */
export function Protected({ children }: { children: (user: User) => ReactNode }) {
  const { user, isLoading } = useSession();
  // The first page is drawn in pieces between which the browser can paint and listen.
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
