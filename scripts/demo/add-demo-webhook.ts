import type { NewOutgoingWebhook, OutgoingWebhook } from '#contracts/outgoing-webhooks.ts';
import { PUBLIC_EVENT_NAMES } from '#contracts/public-events.ts';
import { get, post, signIn } from './demo-client.ts';

/** Reports all events to the sandbox's receiver, unless a webhook already exists. */
export async function addDemoWebhook(address: string, credentials: object, receiverUrl: string): Promise<void> {
  const headers = await signIn(address, credentials);
  if (!headers) return;
  const existing = await get<OutgoingWebhook[]>(`${address}/api/webhooks`, headers);
  const webhook: NewOutgoingWebhook = {
    ...{ url: `${receiverUrl}/demo`, events: PUBLIC_EVENT_NAMES, format: 'json', includePersonalData: true },
  };
  if (existing.length === 0) await post(`${address}/api/webhooks`, webhook, headers);
  await fetch(`${address}/api/logout`, { method: 'POST', headers });
}
