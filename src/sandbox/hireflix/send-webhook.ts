import { createHmac } from 'node:crypto';

export interface WebhookInput {
  url: string;
  event: string;
  interviewId: string;
  positionId: string;
  secret: string;
  /** False signs with another secret. */
  isGenuine: boolean;
}

/** Sends an event as Hireflix does, and resolves with the status of the response. */
export async function sendWebhook({ url, event, interviewId, positionId, secret, isGenuine }: WebhookInput) {
  const data = { id: interviewId, position: { id: positionId, name: 'Product Designer' } };
  const body = JSON.stringify({ event, data });
  const signature = createHmac('sha256', isGenuine ? secret : `not ${secret}`)
    .update(body)
    .digest('base64');
  const headers = { 'content-type': 'application/json', 'x-hireflix-signature': signature };
  return (await fetch(url, { method: 'POST', headers, body })).status;
}
