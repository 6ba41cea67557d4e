import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BREACHED } from '#sandbox/breaches/breaches.mount.ts';
import type { FaultInput } from '#sandbox/faults/fault.ts';
import { breachedPasswordsRange } from '#server/adapters/breached-passwords-range/breached-passwords-range.ts';
import type { BreachedPasswords } from '#server/ports/breached-passwords.ts';
import { sandboxOfFile } from '#support/start-sandbox.ts';

const ADAPTERS: Record<string, (baseUrl: string, timeoutMs?: number) => BreachedPasswords> = {
  range: (baseUrl, timeoutMs = 20_000) => breachedPasswordsRange({ baseUrl, timeoutMs }),
};
const KNOWN = Object.keys(BREACHED).filter((password) => (BREACHED[password] ?? 0) > 0);

const sandbox = await sandboxOfFile();

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.each(Object.entries(ADAPTERS))('breached passwords: %s', (_, adapter) => {
  const ask = (password: string) => adapter(sandbox.breachedPasswordsUrl).has(password);

  test.each(KNOWN)('%s is breached', async (password) => {
    expect(await ask(password)).toBe(true);
  });

  // The first differs from a breached one only in case; the last is listed as padding.
  test.each(['Correct horse battery staple', 'an unknown password', '', 'пароль', 'a password without a breach'])(
    '"%s" is not breached',
    async (password) => {
      expect(await ask(password)).toBe(false);
    },
  );

  test('the service receives five digits of the hash only, and all responses have the same length', async () => {
    const received: { url: string | undefined; padding: unknown; body: string }[] = [];
    const base = await serve((request, response) => {
      const { url, headers } = request;
      request.setEncoding('latin1');
      let body = '';
      request.on('data', (piece: string) => {
        body += piece;
      });
      request.on('end', () => {
        received.push({ url, padding: headers['add-padding'], body });
        response.end();
      });
    });
    // Its SHA-1 hash begins with ABF7AAD643883.
    expect(await adapter(`${base}/mirror`).has('correct horse battery staple')).toBe(false);
    expect(received).toEqual([{ url: '/mirror/range/ABF7A', padding: 'true', body: '' }]);
    await ask('anything');
    expect(sandbox.requests.list('/breaches/')[0]?.bytes).toBeGreaterThan(800 * 35);
  });

  test.each<[does: string, FaultInput, kind: string]>([
    ['is broken', { kind: 'status', status: 503, on: 'breaches' }, 'unavailable'],
    ['limits our rate', { kind: 'status', status: 429, on: 'breaches' }, 'rate_limited'],
    ['refuses our calls', { kind: 'status', status: 403, on: 'breaches' }, 'unauthorised'],
    ['returns a page', { kind: 'status', status: 404, body: '<h1>Hello</h1>', on: 'breaches' }, 'rejected'],
  ])('a service that %s causes an error', async (_does, fault, kind) => {
    sandbox.control.fail(fault);
    await expect(ask('correct horse battery staple')).rejects.toMatchObject({ service: 'breached passwords', kind });
  });

  test('a service that is slow causes an error in time', async () => {
    sandbox.control.fail({ kind: 'latency', ms: 60_000, on: 'breaches' });
    const response = adapter(sandbox.breachedPasswordsUrl, 300).has('a password');
    await expect(response).rejects.toMatchObject({ service: 'breached passwords', kind: 'unavailable' });
  });

  test.each<[does: string, RequestListener, kind: string]>([
    ['sends a page', (_request, response) => void response.end('<!doctype html>'), 'bad_response'],
    ['redirects', (_request, response) => void response.writeHead(302, { location: '/' }).end(), 'rejected'],
    ['closes the connection', (_request, response) => void response.destroy(), 'unavailable'],
    [
      'never ends',
      (_request, response) => {
        const line = Buffer.from(`${'A'.repeat(35)}:1\n`.repeat(1_000));
        const more = () => {
          while (!response.destroyed && response.write(line));
          response.once('drain', more);
        };
        more();
      },
      'bad_response',
    ],
  ])('a server that %s causes an error without the password', async (_does, listener, kind) => {
    const asked = adapter(await serve(listener)).has('correct horse battery staple');
    const error = await asked.catch((problem: Error) => problem);
    expect(error).toMatchObject({ kind });
    expect(`${error} ${JSON.stringify(error)} ${(error as Error).cause}`).not.toMatch(/correct|ABF7A/i);
  });

  test('an unreachable service causes an error', async () => {
    await expect(adapter('http://127.0.0.1:1').has('a password')).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
