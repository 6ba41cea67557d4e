import { text } from 'node:stream/consumers';
import type { Mount } from '#sandbox/http/mount.ts';
import { escaped, sendPage } from '#sandbox/http/page.ts';
import type { ReceivedEvent, Receiver } from './receiver.ts';

export const RECEIVER_PREFIX = '/receiver';
const MAX_SHOWN = 200;

/** Accepts every event at any path below its prefix. Faults with `on: 'receiver'` apply. */
export const receiverMount = (receiver: Receiver): Mount => ({
  name: 'receiver',
  prefix: RECEIVER_PREFIX,
  async handle(exchange) {
    if (exchange.method !== 'POST') return exchange.fail(405, 'not_allowed', 'Send events with POST.');
    const { headers } = exchange.request;
    const header = (name: string) => String(headers[name] ?? '');
    receiver.accept({
      ...{ path: exchange.path, body: await text(exchange.request) },
      ...{ id: header('webhook-id'), timestamp: header('webhook-timestamp'), signature: header('webhook-signature') },
    });
    exchange.json(200, { received: true });
  },
});

/** A page that shows what arrived, newest first. */
export const receivedMount = (receiver: Receiver): Mount => ({
  name: 'received',
  prefix: '/received',
  isInternal: true,
  handle(exchange) {
    const events = receiver.list().slice(-MAX_SHOWN).toReversed();
    const body = events.length === 0 ? '<p>No event has arrived yet.</p>' : events.map(article).join('\n');
    sendPage(exchange, { title: 'Received events', body });
  },
});

const article = ({ path, id, receivedAt, body }: ReceivedEvent) => `<article>
<h2>${escaped(path)}</h2>
<p class="note">${escaped(id)}, ${new Date(receivedAt).toISOString()}</p>
<pre>${escaped(body)}</pre></article>`;
