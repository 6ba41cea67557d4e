import type { SignedIn } from '#server/http/guards/session-guard.ts';

/** An administrator with a session. */
export const aSignedIn = (changed: Partial<SignedIn> = {}): SignedIn => ({
  accountId: 1,
  username: 'recruiter',
  role: 'administrator',
  funnelIds: null,
  scopes: null,
  ...changed,
});
