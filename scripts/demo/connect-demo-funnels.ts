import { setTimeout as sleep } from 'node:timers/promises';
import type { Funnel, FunnelForm } from '#contracts/funnels.ts';
import type { RefreshStatus } from '#contracts/sync.ts';

/**
 * Creates the funnels of the sandbox, refreshes most of them and activates the first one, unless
 * there are funnels already.
 */
export async function connectDemoFunnels(
  address: string,
  credentials: { username: string; password: string },
  funnels: readonly Partial<FunnelForm>[],
): Promise<void> {
  const login = await fetch(`${address}/api/login`, json('POST', credentials));
  if (!login.ok) return console.log('  The demo could not sign in, so it did not check the funnels.');
  const headers = {
    cookie: login.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; '),
  };

  const existing = (await (await fetch(`${address}/api/funnels`, { headers })).json()) as Funnel[];
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

async function post<T>(url: string, body: unknown, headers: Record<string, string>): Promise<T> {
  const response = await fetch(url, json('POST', body, headers));
  if (!response.ok) throw new Error(`Could not prepare the demo: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

const json = (method: string, body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method,
  headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
  ...(body !== undefined && { body: JSON.stringify(body) }),
});
