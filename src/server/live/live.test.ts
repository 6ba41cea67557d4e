import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createFunnel, deleteFunnel } from '#contracts/funnels.ts';
import { archiveInterview, setDestination, unarchiveInterview } from '#contracts/interviews.ts';
import { unmarkWatched } from '#contracts/review.ts';
import { getUser, logout, logoutEverywhere } from '#contracts/session.ts';
import { dismissSyncError } from '#contracts/sync.ts';
import { createEvents } from '#server/compose-events.ts';
import { writeEntry } from '#server/features/logs/write-entry.ts';
import { Accounts } from '#server/features/session/accounts/accounts.service.ts';
import { EXPIRED } from '#server/features/session/sessions/session-events.ts';
import { endExpiredSessions } from '#server/features/session/sessions/session-lifecycle.ts';
import { announce } from '#server/live/announce.ts';
import { LiveBus } from '#server/live/bus.ts';
import { insertInterviews } from '#support/insert-interviews.ts';
import { connect, listen } from '#support/live-socket.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { createTestDatabase } from '#support/test-database.ts';
import { until } from '#support/until.ts';

async function listening(options: Parameters<typeof startApp>[0] = {}) {
  const product = await startApp({ jobs: false, ...options });
  return { product, origin: await listen(product) };
}

/** Counts the queries of this process about sessions from now on. */
function countSessionQueries() {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => query.mockRestore());
  const results = () =>
    query.mock.calls.flatMap(([text], index) =>
      /^select .* from "session"/s.test(String(text)) ? [query.mock.results[index]?.value] : [],
    );
  return {
    count: () => results().length,
    /** Resolves with the count when no more queries are sent. */
    async settled(): Promise<number> {
      const before = results().length;
      await Promise.all(results());
      await pause(250);
      return results().length === before ? before : this.settled();
    },
  };
}

describe('the live socket', () => {
  test('the live socket opens only for a signed-in browser of our own origin', async () => {
    const { product, origin } = await listening();
    const recruiter = await product.signedIn();
    expect((await connect(origin, null)).opened).toBe(401);
    expect((await connect(origin, recruiter, { origin: 'https://evil.example' })).opened).toBe(403);
    expect((await connect(origin, recruiter, { origin: '' })).opened).toBe(403);
    expect((await connect(origin, recruiter)).opened).toBe(101);
  });

  test('the live socket sends log entries to subscribers of system-logs only, and refresh messages to all', async () => {
    const { product, origin } = await listening();
    const recruiter = await product.signedIn();
    const [subscriber, other] = [await connect(origin, recruiter), await connect(origin, recruiter)];
    subscriber.socket.send('no JSON');
    subscriber.socket.send(JSON.stringify({ type: 'subscribe', channel: 'system-logs' }));
    // The entry of the sign-in can arrive before the subscription or after it.
    const created = await until('the subscription works', async () => {
      await recruiter.call(createFunnel, { body: { name: 'Nurses', apiKey: 'secret key', funnelId: 'nurses' } });
      return subscriber.messages.find((message) => JSON.stringify(message).includes('create-funnel'));
    });
    expect(created).toMatchObject({
      type: 'system-log',
      action: 'created',
      payload: { action: 'create-funnel', actor: { name: 'admin', address: '127.0.0.1' } },
    });
    const entry = { type: 'system', action: 'start', status: 'info', summary: 'Large' } as const;
    await writeEntry(product.db, { ...entry, details: { list: Array(9_000).fill('item') } });
    const large = await until('the large entry arrives', () =>
      subscriber.messages.find((message) => JSON.stringify(message).includes('Large')),
    );
    expect(large).toMatchObject({ payload: { details: null, isShortened: true } });
    expect(JSON.stringify(subscriber.messages)).not.toContain('secret key');

    await recruiter.call(dismissSyncError, {});
    await until('both receive the refresh message', () =>
      [subscriber, other].every(({ messages }) => messages.some(({ type }) => type === 'refresh-status')),
    );
    expect(other.messages.filter(({ type }) => type === 'system-log')).toEqual([]);
  });

  test('the live socket receives announcements of another process', async () => {
    const { product, origin } = await listening();
    const recruiter = await product.signedIn();
    const here = await connect(origin, recruiter);
    const elsewhere: TestApp = await startApp({ jobs: false, database: product.database, dataDir: product.dataDir });
    await (await elsewhere.signedIn()).call(dismissSyncError, {});
    await until('the message arrives', () => here.messages.some(({ type }) => type === 'refresh-status'));
  });

  test('the live socket notifies all browsers of changes to interviews and funnels', async () => {
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
    // The announcement of the sign-in may arrive after the socket was opened.
    const received = () => messages.filter(({ type }) => type !== 'devices-changed');
    await until('the last message arrives', () => received().length >= expected.length);
    expect(received()).toEqual(expected);
  });

  test('the live socket notifies only the own browsers of an account when it signs in or out', async () => {
    const { product, origin } = await listening();
    await new Accounts(product.db, createEvents()).add({ username: 'ann', password: 'ann password' });
    const ann = await connect(origin, await product.signedIn('ann', 'ann password'));
    const admin = await connect(origin, await product.signedIn());
    const count = ({ messages }: typeof ann) => messages.filter(({ type }) => type === 'devices-changed').length;
    const phone = await product.signedIn();
    await phone.call(logout, {});
    await until('both are announced', () => count(admin) >= 2);
    // At most the announcement of her own sign-in, which may arrive after her socket was opened.
    expect(count(ann)).toBeLessThanOrEqual(1);
  });

  test('the live socket notifies only the own browsers of an account when it marks an interview as unwatched', async () => {
    const { product, origin } = await listening();
    await new Accounts(product.db, createEvents()).add({ username: 'ann', password: 'ann password' });
    const ann = await connect(origin, await product.signedIn('ann', 'ann password'));
    const recruiter = await product.signedIn();
    const admin = await connect(origin, recruiter);
    const funnel = await recruiter.call(createFunnel, {
      body: { name: 'Nurses', apiKey: 'secret key', funnelId: 'nurses' },
    });
    await insertInterviews(product.db, [{ id: 'iv 1', funnelId: funnel.id }]);
    await recruiter.call(unmarkWatched, { params: { id: 'iv 1' } });
    await recruiter.call(archiveInterview, { params: { id: 'iv 1' } });
    const editsOf = ({ messages }: typeof ann) => messages.filter(({ type }) => type === 'interview-edited');
    const edited = { type: 'interview-edited', data: { interviewId: 'iv 1' } };
    await until('both receive the edit', () => editsOf(admin).length >= 2 && editsOf(ann).length >= 1);
    expect([editsOf(admin), editsOf(ann)]).toEqual([[edited, edited], [edited]]);
  });

  test('the live socket marks the end of a step that the message of a bulk run reports too', async () => {
    const { product, origin } = await listening();
    const recruiter = await product.signedIn();
    const { messages } = await connect(origin, recruiter);
    const funnelId = await product.build.funnel(recruiter);
    await insertInterviews(product.db, [{ id: 'iv-1', funnelId }]);
    await product.db.updateTable('interview').set({ summary_status: 'failed', summary_error: 'No text.' }).execute();
    const ofRun = [false, true];
    const events = createEvents();
    events.connect({ bulk: { afterStepEnd: async () => ofRun.shift() } } as never);
    for (let ended = 0; ended < 2; ended += 1)
      await events.record(product.db, 'step.ended', {
        ...{ interviewId: 'iv-1', funnelId, title: 'One', step: 'summarize', videoHost: 'YouTube' },
        ...{ error: 'No text.', note: null },
      });
    const ends = () => messages.filter(({ type }) => type === 'summary-failed');
    const message = '"Interview iv-1": No text.';
    await until('both ends arrive', () => ends().length === 2);
    expect(ends()).toEqual([
      { type: 'summary-failed', data: { interviewId: 'iv-1', message } },
      { type: 'summary-failed', data: { interviewId: 'iv-1', message, isGrouped: true } },
    ]);
  });

  test('the live socket closes although the first query for its session failed', async () => {
    const { product, origin } = await listening();
    const { socket } = await connect(origin, await product.signedIn());
    const closed = once(socket, 'close');
    await sql`ALTER TABLE session RENAME TO session_away`.execute(product.db);
    await announce(product.db, 'session', EXPIRED);
    await pause(500);
    await sql`DELETE FROM session_away`.execute(product.db);
    await sql`ALTER TABLE session_away RENAME TO session`.execute(product.db);
    expect((await closed)[0]).toBe(1008);
  });

  test('the live socket closes when its session ends', async () => {
    const { product, origin } = await listening();
    const [leaving, staying] = [await product.signedIn(), await product.signedIn()];
    const [gone, kept] = [await connect(origin, leaving), await connect(origin, staying)];
    const closed = once(gone.socket, 'close');
    await leaving.call(logout, {});
    expect((await closed)[0]).toBe(1008);
    expect(kept.socket.readyState).toBe(WebSocket.OPEN);
  });

  test('the live socket closes when its session expires', async () => {
    const { product, origin } = await listening();
    const [old, staying] = [await product.signedIn(), await product.signedIn()];
    const sockets = [await connect(origin, old), await connect(origin, staying)];
    const closed = Promise.race(sockets.map(({ socket }) => once(socket, 'close')));
    await sql`UPDATE session SET expires_at = now() - interval '1 s' WHERE token_hash = (SELECT min(token_hash) FROM session)`.execute(
      product.db,
    );
    await endExpiredSessions(product.db, createEvents(), Date.now());
    expect((await closed)[0]).toBe(1008);
    expect(await product.db.selectFrom('session').select('remembered').execute()).toHaveLength(1);
  });

  test('the live socket causes no query when another session ends', async () => {
    const { product, origin } = await listening();
    const [staying, leaving] = [await product.signedIn(), await product.signedIn()];
    const queries = countSessionQueries();
    const [kept, gone] = [await connect(origin, staying), await connect(origin, leaving)];
    const before = await queries.settled();
    const closed = once(gone.socket, 'close');
    await product.db
      .deleteFrom('session')
      .where('created_at', '=', ({ selectFrom }) =>
        selectFrom('session').select(({ fn }) => fn.min('created_at').as('first')),
      )
      .execute();
    await leaving.call(logout, {});
    expect((await closed)[0]).toBe(1008);
    expect(queries.count()).toBe(before + 1);
    expect(kept.socket.readyState).toBe(WebSocket.OPEN);
  });

  test('the live socket closes with all others of an account that is signed out everywhere, after one query', async () => {
    const { product, origin } = await listening();
    await new Accounts(product.db, createEvents()).add({ username: 'ann', password: 'a long enough one' });
    const [staying, ...leaving] = [
      await product.signedIn(),
      await product.signedIn('ann', 'a long enough one'),
      await product.signedIn('ann', 'a long enough one'),
    ];
    const queries = countSessionQueries();
    const kept = await connect(origin, staying);
    const gone = [await connect(origin, leaving[0] ?? null), await connect(origin, leaving[1] ?? null)];
    const before = await queries.settled();
    const closed = gone.map(({ socket }) => once(socket, 'close'));
    await leaving[0]?.call(logoutEverywhere, {});
    expect((await Promise.all(closed)).map(([code]) => code)).toEqual([1008, 1008]);
    expect(queries.count()).toBe(before + 1);
    expect(kept.socket.readyState).toBe(WebSocket.OPEN);
  });

  test('the live socket shares queries with other sockets when sessions expire, however often that is announced', async () => {
    const { product, origin } = await listening();
    const people = [await product.signedIn(), await product.signedIn(), await product.signedIn()];
    for (const person of people) await Promise.all(Array.from({ length: 10 }, () => connect(origin, person)));
    const last = await connect(origin, people[0] ?? null);
    const closed = once(last.socket, 'close');
    const queries = countSessionQueries();
    for (let count = 0; count < 20; count += 1) await announce(product.db, 'session', EXPIRED);
    await product.db.deleteFrom('session').execute();
    await announce(product.db, 'session', EXPIRED);
    expect((await closed)[0]).toBe(1008);
    // One for each announcement at the most, and none for each of the 31 sockets.
    expect(queries.count()).toBeLessThan(30);
  });

  test('the live socket closes at once when its session ended during the upgrade', async () => {
    const { product, origin } = await listening();
    const recruiter = await product.signedIn();
    await recruiter.call(getUser, {});
    await product.db.deleteFrom('session').execute();
    const { opened, socket } = await connect(origin, recruiter);
    expect(opened).toBe(101);
    expect((await once(socket, 'close'))[0]).toBe(1008);
  });

  test('the live socket closes a connection that sends a large message', async () => {
    const { product, origin } = await listening();
    const { socket } = await connect(origin, await product.signedIn());
    const closed = once(socket, 'close');
    socket.send('x'.repeat(5_000));
    expect((await closed)[0]).toBe(1009);
  });

  test('the live socket closes all connections after a gap in announcements, so that browsers reconnect', async () => {
    const { product, origin } = await listening();
    const { socket } = await connect(origin, await product.signedIn());
    const closed = once(socket, 'close');
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'interviews live' AND datname = current_database()`.execute(product.db);
    expect((await closed)[0]).toBe(1012);
  });

  test('the live socket limits connections per session and in total, and refuses others with Retry-After', async () => {
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

  test('the live socket closes a connection that sends too many messages', async () => {
    const { product, origin } = await listening();
    const { socket } = await connect(origin, await product.signedIn());
    const closed = once(socket, 'close');
    for (let count = 0; count < 101; count += 1) socket.send('again');
    expect((await closed)[0]).toBe(1008);
  });
});

test('a connection over which announcements cannot be received, as to a standby, is closed', async () => {
  const database = await createTestDatabase();
  const { query } = pg.Client.prototype;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const isListen = String(args[0]).startsWith('LISTEN');
    return isListen ? Promise.reject(new Error('cannot execute LISTEN')) : query.apply(this, args as never);
  });
  const bus = new LiveBus(database.applicationUrl, pino({ level: 'silent' }));
  const watching = new pg.Client({ connectionString: database.url });
  onTestFinished(async () => {
    spy.mockRestore();
    await bus.close();
    await watching.end();
    await database.drop();
  });
  await watching.connect();
  await expect(bus.opened).rejects.toThrow('cannot execute LISTEN');
  await until('it is closed', async () => {
    const { rows } = await watching.query(
      "SELECT 1 FROM pg_stat_activity WHERE application_name = 'interviews live' AND datname = current_database()",
    );
    return rows.length === 0 || null;
  });
});
