import type { User } from '#contracts/session.ts';
import type { SignedIn } from '#server/http/guards/session-guard.ts';

export const viewUser = ({ accountId, username, role, funnelIds }: SignedIn): User => ({
  id: accountId,
  ...{ username, role },
  allFunnels: funnelIds === null,
  funnelIds: [...(funnelIds ?? [])],
});
