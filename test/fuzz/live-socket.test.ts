import { once } from 'node:events';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createFunnel } from '#contracts/funnels.ts';
import { LiveMessage } from '#contracts/live.ts';
import type { Person } from '#support/call.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';
import { fuzzSettings } from './fuzz-settings.ts';
import { hostileJson, hostileText, hostileValue } from './hostile-values.ts';

const cleanup = new AsyncDisposableStack();
let product: TestApp;
let recruiter: Person;
let origin: string;
beforeAll(async () => {
  product = await startApp({ jobs: false, onFinished: (clear) => cleanup.defer(clear) });
  origin = await product.app.listen({ port: 0, host: '127.0.0.1' });
  recruiter = await product.signedIn();
});
afterAll(() => cleanup.disposeAsync());

/**
 * Anything that a client may send. `raw` bypasses the client's framing, so it may be an invalid
 * frame.
 */
type ClientMessage = { text: string } | { bytes: Uint8Array } | { ping: Uint8Array } | { raw: Uint8Array };
const clientMessage: fc.Arbitrary<ClientMessage> = fc.oneof(
  { weight: 4, arbitrary: fc.oneof(hostileJson, hostileText).map((text) => ({ text })) },
  {
    weight: 4,
    arbitrary: fc
      .record(
        {
          type: fc.oneof(fc.constant('subscribe'), hostileValue),
          channel: fc.oneof(fc.constant('system-logs'), hostileValue),
        },
        { requiredKeys: [] },
      )
      .map((message) => ({ text: JSON.stringify(message) })),
  },
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => ({ bytes })) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 125 }).map((ping) => ({ ping })) },
  { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 40 }).map((raw) => ({ raw })) },
);

/**
 * The codes for messages that are too large or not UTF-8 and for invalid frames (RFC 6455, section
 * 7.4.1). 1006 means that the connection ended without a close frame.
 */
const ALLOWED_CLOSE_CODES = [1002, 1003, 1006, 1007, 1009];

async function open() {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, {
    headers: { origin, cookie: recruiter.cookie ?? '' },
  });
  await once(socket, 'open');
  return socket;
}

function send(socket: WebSocket, what: ClientMessage): void {
  if (socket.readyState !== WebSocket.OPEN) return;
  if ('text' in what) socket.send(what.text);
  else if ('bytes' in what) socket.send(what.bytes);
  else if ('ping' in what) socket.ping(what.ping);
  else (socket as unknown as { _socket: NodeJS.WritableStream })._socket.write(what.raw);
}

/**
 * Resolves when the server has processed all messages: it returned a pong or has closed the
 * connection.
 */
async function settled(socket: WebSocket): Promise<number | 'open'> {
  const closed = once(socket, 'close').then(([code]) => Number(code));
  if (socket.readyState === WebSocket.OPEN) socket.ping('last');
  const answered = new Promise<'open'>((resolve) => {
    socket.on('pong', (data) => data.toString() === 'last' && resolve('open'));
  });
  return Promise.race([closed, answered]);
}

test(
  'hostile messages on one live socket do not affect the subscriptions of others',
  async () => {
    const listener = await open();
    const messages: LiveMessage[] = [];
    listener.on('message', (data) => messages.push(LiveMessage.parse(JSON.parse(String(data)))));
    listener.send(JSON.stringify({ type: 'subscribe', channel: 'system-logs' }));

    await fc.assert(
      fc.asyncProperty(fc.array(clientMessage, { minLength: 1, maxLength: 20 }), async (talk) => {
        const socket = await open();
        socket.on('error', () => {});
        for (const what of talk) send(socket, what);
        // Raw bytes may be an incomplete frame, and the server rightly waits for the rest.
        const outcome = talk.some((what) => 'raw' in what) ? 'open' : await settled(socket);
        if (outcome !== 'open') expect(ALLOWED_CLOSE_CODES).toContain(outcome);
        socket.terminate();
      }),
      { seed: fuzzSettings.seed, numRuns: Math.max(200, fuzzSettings.requests / 100) },
    );

    await recruiter.call(createFunnel, { body: { name: 'Still here', apiKey: 'key', funnelId: 'still' } });
    await until('the entry is received', () => messages.some((message) => message.type === 'system-log'));
    listener.terminate();
  },
  60_000 + fuzzSettings.requests * 2,
);
