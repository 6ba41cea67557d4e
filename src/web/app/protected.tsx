import { type ReactNode, useDeferredValue } from 'react';
import { Redirect } from 'wouter';
import type { User } from '#contracts/session.ts';
import { useSession } from '#web/features/session/session.ts';
import { UserContext } from '#web/lib/may.ts';

interface Props {
  children: (user: User) => ReactNode;
  /** Shown to other visitors. Default: redirects them to the login. */
  signedOut?: ReactNode;
}

/** Renders its children for a signed-in user. Until then index.html shows a placeholder. */
export function Protected({ children, signedOut = <Redirect to="/login" replace /> }: Props) {
  const { user, isLoading } = useSession();
  // A deferred value renders the first page in slices, so that the browser can paint and handle
  // input.
  const shown = useDeferredValue(user);
  if (isLoading || (user && !shown)) {
    return (
      <p role="status" className="sr-only">
        Loading
      </p>
    );
  }
  return user ? <UserContext value={user}>{children(user)}</UserContext> : signedOut;
}
