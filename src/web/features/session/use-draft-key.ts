import { useState } from 'react';
import { useSession } from '#web/features/session/session.ts';

/**
 * Under which the tab keeps what the person at it writes about `what`. The next person at this screen has other keys: they never see,
 * or save as their own, what somebody else did not come to save.
 */
export function useDraftKey(what: string): string {
  const { user } = useSession({ ask: false });
  // A session may end while something is written: it stays theirs.
  const [author] = useState(user?.id);
  return `${author} ${what}`;
}
