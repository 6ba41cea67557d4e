import type { Funnel } from '#contracts/funnels.ts';
import type { SandboxFunnel } from '#sandbox/funnels.ts';

/** Makes the sandbox's funnels in a product that has none, through its API, and activates the first one. What is there already stays. */
export async function connectDemoFunnels(
  address: string,
  credentials: { username: string; password: string },
  funnels: readonly SandboxFunnel[],
): Promise<void> {
  const signedIn = await fetch(`${address}/api/login`, json('POST', credentials));
  if (!signedIn.ok)
    return console.log('  The password alone does not sign in, so the demo leaves the funnels as they are.');
  const headers = {
    cookie: signedIn.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; '),
  };

  const existing = (await (await fetch(`${address}/api/funnels`, { headers })).json()) as Funnel[];
  if (existing.length === 0) {
    const made: Funnel[] = [];
    // The last one first, so that the active funnel is the newest and stands on top.
    for (const funnel of funnels.toReversed()) made.push(await send<Funnel>(`${address}/api/funnels`, funnel, headers));
    const active = made.at(-1);
    if (active) await send(`${address}/api/funnels/${active.id}/activate`, undefined, headers);
  }
  await fetch(`${address}/api/logout`, { method: 'POST', headers });
}

async function send<T>(url: string, body: unknown, headers: Record<string, string>): Promise<T> {
  const response = await fetch(url, json('POST', body, headers));
  if (!response.ok) throw new Error(`The demo could not be prepared: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

const json = (method: string, body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method,
  headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
  ...(body !== undefined && { body: JSON.stringify(body) }),
});
