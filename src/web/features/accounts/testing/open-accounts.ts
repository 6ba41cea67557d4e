import type { Account } from '#contracts/accounts.ts';
import { aFunnel } from '#web/testing/a-funnel.ts';
import { renderApp } from '#web/testing/render-app.tsx';
import { serve } from '#web/testing/server-edge.ts';

export const anAccount = (part: Partial<Account> = {}): Account => ({
  ...{ id: 2, username: 'riley', email: 'riley@example.com', role: 'recruiter', allFunnels: false, funnelIds: [1] },
  ...{ isDisabled: false, lastSeenAt: null, hasSecondFactor: false, identities: [] },
  ...part,
});

export const ADMIN = anAccount({
  ...{ id: 1, username: 'dana', email: null, role: 'administrator', allFunnels: true, funnelIds: [] },
  ...{ lastSeenAt: '2026-11-24T08:00:00Z', hasSecondFactor: true },
});

/** Renders the page for an administrator. `responses` are further responses of the server. */
export function openAccounts(accounts: Account[], responses: Parameters<typeof serve>[0] = {}, path = '/accounts') {
  const seen = serve({
    'GET /api/user': { id: 1, username: 'dana', role: 'administrator', allFunnels: true, funnelIds: [] },
    'GET /api/accounts': () => accounts,
    'GET /api/funnels': [aFunnel(), aFunnel({ id: 2, name: 'Warehouse', isActive: false })],
    'GET /api/automations': [],
    ...responses,
  });
  return { user: renderApp(path), seen };
}
