import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createFunnel, deleteFunnel } from '#contracts/funnels.ts';
import { archiveInterview, setDestination, unarchiveInterview } from '#contracts/interviews.ts';
import type { LiveMessage } from '#contracts/live.ts';
import { getUser, logout, logoutEverywhere } from '#contracts/session.ts';
import { dismissSyncError } from '#contracts/sync.ts';
import { openLogs } from '#server/features/logs/logs.service.ts';
import { Accounts } from '#server/features/session/accounts.service.ts';
import { endExpiredSessions } from '#server/features/session/end-expired-sessions.ts';
import { announceExpiry } from '#server/features/session/session-ended.ts';
import type { Person } from '#support/call.ts';
import { insertInterviews } from '#support/insert-interviews.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';

async function listening(options: Parameters<typeof startApp>[0] = {}) {
  const product = await startApp({ jobs: false, ...options });
  await product.app.listen({ port: 0, host: '127.0.0.1' });
  return { product, origin: `http://127.0.0.1:${(product.app.server.address() as AddressInfo).port}` };
}

async function connect(origin: string, person: Person | null, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, {
    headers: { origin, ...(person?.cookie && { cookie: person.cookie }), ...headers },
  });
  const messages: LiveMessage[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  const opened = await Promise.race([once(socket, 'open').then(() => 101), refusedWith(socket)]);
  return { socket, messages, opened };
}

async function refusedWith(socket: WebSocket): Promise<number> {
  const [, response] = await once(socket, 'unexpected-response');
  response.destroy();
  return response.statusCode;
}

/** Watches what this process asks the database about sessions from now on. */
function watchQuestions() {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => query.mockRestore());
  const asked = () =>
    query.mock.calls.flatMap(([text], index) =>
      /^select .* from "session"/.test(String(text)) ? [query.mock.results[index]?.value] : [],
    );
  return {
    count: () => asked().length,
    async answered(count: number) {
      await until('these questions were asked', () => asked().length >= count);
      await Promise.all(asked());
    },
  };
}

describe('the live socket', () => {
  test('opens only for a signed-in browser of our own origin', async () => {
    const { product, origin } = await listening();
    const recruiter = await product.signedIn();
    expect((await connect(origin, null)).opened).toBe(401);
    expect((await connect(origin, recruiter, { origin: 'https://evil.example' })).opened).toBe(403);
    expect((await connect(origin, recruiter, { origin: '' })).opened).toBe(403);
    expect((await connect(origin, recruiter)).opened).toBe(101);
  });

  test('sends log entries to subscribers of the channel system-logs only, and refresh messages to everybody', async () => {
    const { product, origin } = await listening();
    const recruiter = await product.signedIn();
    const [subscriber, other] = [await connect(origin, recruiter), await connect(origin, recruiter)];
    subscriber.socket.send('no JSON');
    subscriber.socket.send(JSON.stringify({ type: 'subscribe', channel: 'system-logs' }));
    await until('the subscription works', async () => {
      await recruiter.call(createFunnel, { body: { name: 'Nurses', apiKey: 'secret key', funnelId: 'nurses' } });
      return subscriber.messages.some(({ type }) => type === 'system-log');
    });
    expect(subscriber.messages.find(({ type }) => type === 'system-log')).toMatchObject({
      action: 'created',
      payload: { action: 'create-funnel' },
    });
    expect(JSON.stringify(subscriber.messages)).not.toContain('secret key');

    await recruiter.call(dismissSyncError, {});
    await until('both hear of the refresh', () =>
      [subscriber, other].every(({ messages }) => messages.some(({ type }) => type === 'refresh-status')),
    );
    expect(other.messages.filter(({ type }) => type === 'system-log')).toEqual([]);
  });

  test('hears what another process announces', async () => {
    const { product, origin } = await listening();
    const recruiter = await product.signedIn();
    const here = await connect(origin, recruiter);
    const elsewhere: TestApp = await startApp({ jobs: false, database: product.database, dataDir: product.dataDir });
    await (await elsewhere.signedIn()).call(dismissSyncError, {});
    await until('the message arrives', () => here.messages.some(({ type }) => type === 'refresh-status'));
  });

  test('tells everybody what somebody does to an interview or a funnel', async () => {
    const { product, origin } = await listening();
    const recruiter = await product.signedIn();
    const { messages } = await connect(origin, await product.signedIn());
    const funnel = await recruiter.call(createFunnel, {
      body: { name: 'Nurses', apiKey: 'secret key', funnelId: 'nurses' },
    });
    await insertInterviews(product.db, [{ id: 'iv-1', funnelId: funnel.id }]);
    const params = { id: 'iv-1' };
    await recruiter.call(archiveInterview, { params });
    await recruiter.call(archiveInterview, { params });
    await recruiter.call(unarchiveInterview, { params });
    await recruiter.call(setDestination, { params, body: { destinationId: 'BUB-ACME-7' } });
    await recruiter.call(deleteFunnel, { params: { id: funnel.id } });
    const edited = { type: 'interview-edited', data: { interviewId: 'iv-1' } };
    const changed = { type: 'funnels-changed' };
    const expected = [changed, edited, edited, edited, changed, { type: 'interviews-changed' }];
    await until('the last message arrives', () => messages.length >= expected.length);
    expect(messages).toEqual(expected);
  });

  test('closes when its session ends', async () => {
    const { product, origin } = await listening();
    const [leaving, staying] = [await product.signedIn(), await product.signedIn()];
    const [gone, kept] = [await connect(origin, leaving), await connect(origin, staying)];
    const closed = once(gone.socket, 'close');
    await leaving.call(logout, {});
    expect((await closed)[0]).toBe(1008);
    expect(kept.socket.readyState).toBe(WebSocket.OPEN);
  });

  test('closes when its session runs out', async () => {
    const { product, origin } = await listening();
    const [old, staying] = [await product.signedIn(), await product.signedIn()];
    const [gone, kept] = [await connect(origin, old), await connect(origin, staying)];
    const closed = once(gone.socket, 'close');
    await sql`UPDATE session SET expires_at = now() WHERE token_hash = (SELECT min(token_hash) FROM session)`.execute(
      product.db,
    );
    await endExpiredSessions(product.db, openLogs(product.db, 365), Date.now());
    expect((await Promise.race([closed, once(kept.socket, 'close')]))[0]).toBe(1008);
    expect(await product.db.selectFrom('session').select('remembered').execute()).toHaveLength(1);
  });

  test('is not asked about when the session of another one ends', async () => {
    const { product, origin } = await listening();
    const [staying, leaving] = [await product.signedIn(), await product.signedIn()];
    const questions = watchQuestions();
    const [kept, gone] = [await connect(origin, staying), await connect(origin, leaving)];
    // By the guard and for the socket.
    await questions.answered(2 * 2);
    const closed = once(gone.socket, 'close');
    await product.db
      .deleteFrom('session')
      .where('created_at', '=', ({ selectFrom }) =>
        selectFrom('session').select(({ fn }) => fn.min('created_at').as('first')),
      )
      .execute();
    await leaving.call(logout, {});
    expect((await closed)[0]).toBe(1008);
    expect(questions.count()).toBe(2 * 2 + 1);
    expect(kept.socket.readyState).toBe(WebSocket.OPEN);
  });

  test('closes with all others of an account that is signed out everywhere, after one question', async () => {
    const { product, origin } = await listening();
    await new Accounts(product.db, openLogs(product.db, 365)).add({ username: 'ann', password: 'a long enough one' });
    const [staying, ...leaving] = [
      await product.signedIn(),
      await product.signedIn('ann', 'a long enough one'),
      await product.signedIn('ann', 'a long enough one'),
    ];
    const questions = watchQuestions();
    const kept = await connect(origin, staying);
    const gone = [await connect(origin, leaving[0] ?? null), await connect(origin, leaving[1] ?? null)];
    await questions.answered(3 * 2);
    const closed = gone.map(({ socket }) => once(socket, 'close'));
    await leaving[0]?.call(logoutEverywhere, {});
    expect((await Promise.all(closed)).map(([code]) => code)).toEqual([1008, 1008]);
    expect(questions.count()).toBe(3 * 2 + 1);
    expect(kept.socket.readyState).toBe(WebSocket.OPEN);
  });

  test('costs no question of its own when some sessions have run out, however often that is announced', async () => {
    const { product, origin } = await listening();
    const people = [await product.signedIn(), await product.signedIn(), await product.signedIn()];
    for (const person of people) await Promise.all(Array.from({ length: 10 }, () => connect(origin, person)));
    const last = await connect(origin, people[0] ?? null);
    const closed = once(last.socket, 'close');
    const questions = watchQuestions();
    for (let count = 0; count < 20; count += 1) await announceExpiry(product.db);
    await product.db.deleteFrom('session').execute();
    await announceExpiry(product.db);
    expect((await closed)[0]).toBe(1008);
    // One for each announcement at the most, and none for each of the 31 sockets.
    expect(questions.count()).toBeLessThan(30);
  });

  test('closes at once when its session ended while it was being opened', async () => {
    const { product, origin } = await listening();
    const recruiter = await product.signedIn();
    await recruiter.call(getUser, {});
    await product.db.deleteFrom('session').execute();
    const { opened, socket } = await connect(origin, recruiter);
    expect(opened).toBe(101);
    expect((await once(socket, 'close'))[0]).toBe(1008);
  });

  test('ends a connection that sends too much', async () => {
    const { product, origin } = await listening();
    const { socket } = await connect(origin, await product.signedIn());
    const closed = once(socket, 'close');
    socket.send('x'.repeat(5_000));
    expect((await closed)[0]).toBe(1009);
  });

  test('after a gap in what processes tell each other every browser connects anew and reads again', async () => {
    const { product, origin } = await listening();
    const { socket } = await connect(origin, await product.signedIn());
    const closed = once(socket, 'close');
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'interviews live' AND datname = current_database()`.execute(product.db);
    expect((await closed)[0]).toBe(1012);
  });

  test('opens so many windows of one browser and so many altogether, and asks others to come back', async () => {
    const { product, origin } = await listening({ env: { MAX_SOCKETS: '3', MAX_SOCKETS_PER_SESSION: '2' } });
    const [one, another] = [await product.signedIn(), await product.signedIn()];
    expect((await connect(origin, one)).opened).toBe(101);
    const second = await connect(origin, one);
    expect(second.opened).toBe(101);
    expect((await connect(origin, one)).opened).toBe(429);
    expect((await connect(origin, another)).opened).toBe(101);
    expect((await connect(origin, another)).opened).toBe(503);
    second.socket.terminate();
    await until('there is room again', async () => (await connect(origin, another)).opened === 101);
  });

  test('ends a connection that talks without end', async () => {
    const { product, origin } = await listening();
    const { socket } = await connect(origin, await product.signedIn());
    const closed = once(socket, 'close');
    for (let count = 0; count < 101; count += 1) socket.send('again');
    expect((await closed)[0]).toBe(1008);
  });
});
