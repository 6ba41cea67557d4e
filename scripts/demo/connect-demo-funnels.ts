import { setTimeout as sleep } from 'node:timers/promises';
import type { Funnel, FunnelForm } from '#contracts/funnels.ts';
import type { RefreshStatus } from '#contracts/sync.ts';
import { get, post, signIn } from './demo-client.ts';

/**
 * Creates the funnels of the sandbox, refreshes most of them and activates the first one, unless
 * there are funnels already.
 */
export async function connectDemoFunnels(
  address: string,
  credentials: { username: string; password: string },
  funnels: readonly Partial<FunnelForm>[],
): Promise<void> {
  const headers = await signIn(address, credentials);
  if (!headers) return console.log('  The demo could not sign in, so it did not check the funnels.');
  const existing = await get<Funnel[]>(`${address}/api/funnels`, headers);
  if (existing.length === 0) {
    const activate = ({ id }: Funnel) => post(`${address}/api/funnels/${id}/activate`, undefined, headers);
    // The list shows the newest funnel first, so the active one is created last.
    for (const [place, funnel] of [...funnels.entries()].toReversed()) {
      const created = await post<Funnel>(`${address}/api/funnels`, funnel, headers);
      if (place === 0 || REFRESHED.includes(place)) await activate(created);
      if (REFRESHED.includes(place)) await refresh(address, headers);
    }
  }
  await fetch(`${address}/api/logout`, { method: 'POST', headers });
}

/** The places of the funnels that have interviews from the beginning. */
const REFRESHED = [1, 2, 4, 5];
const POLL_MS = 200;

async function refresh(address: string, headers: Record<string, string>): Promise<void> {
  await fetch(`${address}/api/interviews/sync`, { headers });
  for (;;) {
    const response = await fetch(`${address}/api/interviews/sync/status`, { headers });
    if (!response.ok || !((await response.json()) as RefreshStatus).inProgress) return;
    await sleep(POLL_MS);
  }
}
