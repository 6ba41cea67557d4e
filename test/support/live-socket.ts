import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import type { LiveMessage } from '#contracts/live.ts';
import type { Person } from './call.ts';
import type { TestApp } from './start-app.ts';

/** Lets the application listen on a free port, and returns its origin. */
export async function listen({ app }: Pick<TestApp, 'app'>): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

/** Opens `/ws` as a browser of the person does. `opened` is 101, or the status of the refusal. */
export async function connect(
  origin: string,
  person: Pick<Person, 'cookie'> | null,
  headers: Record<string, string> = {},
) {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, {
    headers: { origin, ...(person?.cookie && { cookie: person.cookie }), ...headers },
  });
  const messages: LiveMessage[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  const opened = await Promise.race([once(socket, 'open').then(() => 101), refusedWith(socket)]);
  return { socket, messages, opened };
}

export type Connection = Awaited<ReturnType<typeof connect>>;

async function refusedWith(socket: WebSocket): Promise<number> {
  const [, response] = await once(socket, 'unexpected-response');
  response.destroy();
  return response.statusCode;
}
