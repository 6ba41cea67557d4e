import type { Funnel } from '#contracts/funnels.ts';
import type { SandboxFunnel } from '#sandbox/funnels.ts';

/**
 * Creates the funnels of the sandbox and activates the first one, unless there are funnels
 * already.
 */
export async function connectDemoFunnels(
  address: string,
  credentials: { username: string; password: string },
  funnels: readonly SandboxFunnel[],
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
    let active: Funnel | undefined;
    // The list shows the newest funnel first, so the active one is created last.
    for (const funnel of funnels.toReversed()) active = await post<Funnel>(`${address}/api/funnels`, funnel, headers);
    if (active) await post(`${address}/api/funnels/${active.id}/activate`, undefined, headers);
  }
  await fetch(`${address}/api/logout`, { method: 'POST', headers });
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
