import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough } from 'node:stream';
import Fastify from 'fastify';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { handleError } from './error-handler.ts';

/** The response to a request that fails with this error, and its log lines. */
async function responseTo(error: Error) {
  const written = new PassThrough();
  const app = Fastify({ loggerInstance: pino({ level: 'warn' }, written) });
  onTestFinished(() => app.close());
  app.setErrorHandler(handleError);
  app.get('/', () => Promise.reject(error));
  const { statusCode, headers, body } = await app.inject('/');
  return { statusCode, retryAfter: headers['retry-after'], body, logged: String(written.read()) };
}

const ofDatabase = (code: string, message: string) => Object.assign(new Error(message), { code });

test('a database without a free connection is not reported as unreachable, and the log contains advice', async () => {
  const response = await responseTo(ofDatabase('53300', 'sorry, too many clients already'));
  expect(response).toMatchObject({ statusCode: 503, retryAfter: '5' });
  expect(response.body).toContain('The database has too many open connections. Try again in a moment.');
  expect(response.logged).toMatch(/max_connections.*DATABASE_POOL_SIZE.*sorry, too many clients already/);
});

test.each([
  ['53100', 'could not extend file', 'the database disk is full'],
  ['25006', 'cannot execute INSERT in a read-only transaction', 'the database is read-only or its disk failed'],
  ['58030', 'could not write block 7: Input/output error', 'the database is read-only or its disk failed'],
])('a database that cannot write (%s) is reported with its reason', async (code, message, problem) => {
  const response = await responseTo(ofDatabase(code, message));
  expect(response).toMatchObject({ statusCode: 503, retryAfter: '30' });
  expect(response.body).toContain(`Can't save: ${problem}. Contact an admin.`);
  expect(response.logged).toContain(message);
});

test('a client that disconnects within its body is not reported as a database outage', async () => {
  const written = new PassThrough();
  const app = Fastify({ loggerInstance: pino({ level: 'warn' }, written) });
  onTestFinished(() => app.close());
  const responded = Promise.withResolvers<number>();
  app.setErrorHandler((error, request, reply) => {
    handleError(error, request, reply);
    responded.resolve(reply.statusCode);
    return reply;
  });
  app.post('/', async () => 'never');
  await app.listen({ port: 0, host: '127.0.0.1' });

  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const asked = once(app.server, 'request');
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":');
  await asked;
  socket.destroy();
  expect(await responded.promise).toBe(400);
  expect(written.read()).toBeNull();
});
