import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { AccountChanges, updateAccount } from '#contracts/accounts.ts';
import { startBulkRun } from '#contracts/bulk.ts';
import type { CallInput } from '#contracts/endpoint.ts';
import { activateFunnel, deleteFunnel, updateFunnel } from '#contracts/funnels.ts';
import { archiveInterview, setDestination } from '#contracts/interviews.ts';
import type { LiveMessage } from '#contracts/live.ts';
import { getUser } from '#contracts/session.ts';
import { cancelSync, dismissSyncError, getSyncStatus, startSync, startSyncOfAll } from '#contracts/sync.ts';
import { createEvents } from '#server/compose-events.ts';
import { type Person, refusal } from '#support/call.ts';
import { insertInterviews } from '#support/insert-interviews.ts';
import { type Connection, connect, listen } from '#support/live-socket.ts';
import { signedInAs } from '#support/people.ts';
import { openedGuest, shareOne } from '#support/sharing.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';

let product: TestApp;
let admin: Person;
let funnels: { ada: number; ben: number };
/** Recruiters who see one funnel each. */
let people: { ada: Person; ben: Person };
let origin: string;

beforeEach(async () => {
  // Refreshes start, and wait for a service that does not respond.
  const service = createServer(() => {}).listen(0, '127.0.0.1');
  await once(service, 'listening');
  onTestFinished(() => service.close().closeAllConnections());
  const { port } = service.address() as AddressInfo;
  product = await startApp({ env: { INTERVIEW_SERVICE_URL: `http://127.0.0.1:${port}` } });
  origin = await listen(product);
  admin = await product.signedIn();
  const funnel = (name: string) => product.build.funnel(admin, { name, funnelId: name });
  funnels = { ada: await funnel('ada'), ben: await funnel('ben') };
  const recruiter = (funnelId: number) => signedInAs(product, { role: 'recruiter', funnelIds: [funnelId] });
  people = { ada: await recruiter(funnels.ada), ben: await recruiter(funnels.ben) };
  await insertInterviews(product.db, [
    { id: 'iv-ada', funnelId: funnels.ada, candidateName: 'Dana Moore' },
    { id: 'iv-ben', funnelId: funnels.ben, candidateName: 'Kim Novak' },
  ]);
});

const connected = async (person: Person, at = origin): Promise<Connection> => {
  const connection = await connect(at, person);
  expect(connection.opened).toBe(101);
  return connection;
};

/**
 * The received messages as text. The announcement of a sign-in can arrive after the socket opened.
 */
const received = ({ messages }: Connection): string[] =>
  messages
    .filter(({ type }) => type !== 'devices-changed')
    .map(
      ({ type, ...message }) =>
        `${type} ${'data' in message ? ((message.data as { interviewId?: string }).interviewId ?? '') : ''}`,
    );

const has = ({ messages }: Connection, type: LiveMessage['type'], text = '') =>
  messages.some((message) => message.type === type && JSON.stringify(message).includes(text));

const archive = (id: string) => admin.call(archiveInterview, { params: { id } });
const startBulk = (person: Person, ids: string[]) =>
  person.call(startBulkRun, { body: { action: 'archive', target: { ids } } });

/** Changes an account as an administrator. */
async function change(person: Person, body: CallInput<typeof updateAccount>['body'], by = admin) {
  const { id } = await person.call(getUser, {});
  await by.call(updateAccount, { params: { id }, body: AccountChanges.parse(body) });
}

/** Rejects when it takes longer than two seconds. */
const withinTwoSeconds = <Found>(what: string, look: () => Found | Promise<Found>) => until(what, look, 2_000);

describe('messages about funnels', () => {
  test('a socket receives no message about a funnel that its account does not see', async () => {
    const sockets = { ada: await connected(people.ada), admin: await connected(admin) };
    const events = createEvents();
    const update = (id: number) =>
      admin.call(updateFunnel, { params: { id }, body: { name: 'New', apiKey: 'key', funnelId: String(id) } });
    const changeAll = async (id: string, funnelId: number) => {
      await archive(id);
      await admin.call(setDestination, { params: { id }, body: { destinationId: 'BUB-A-1' } });
      await update(funnelId);
      await events.record(product.db, 'recordings.joined', { interviewId: id, funnelId });
      await events.record(product.db, 'bulk-run.applied', {
        ...{ bulkRunId: 4_711, action: 'archive', destinationId: null },
        interviews: [{ interviewId: id, title: 'One', funnelId, steps: [], former: null }],
      });
    };
    await changeAll('iv-ben', funnels.ben);
    await until('the administrator receives all', () => has(sockets.admin, 'interviews-changed'));
    await changeAll('iv-ada', funnels.ada);
    const own = ['interview-edited iv-ada', 'interview-edited iv-ada', 'funnels-changed ', 'interview-edited iv-ada'];
    const expected = [...own, 'interviews-changed '];
    await until('the own messages arrive', () => received(sockets.ada).length >= expected.length);
    expect(received(sockets.ada)).toEqual(expected);
    expect(JSON.stringify(sockets.ada.messages)).not.toMatch(/Kim Novak|iv-ben/);
    expect(received(sockets.admin).filter((text) => text.endsWith('iv-ben')).length).toBeGreaterThanOrEqual(3);
  });

  test('a change of more funnels than an announcement can list reaches every socket', async () => {
    const ada = await connected(people.ada);
    const hidden = Array.from({ length: 600 }, (_, n) => 1_000 + n);
    await createEvents().record(product.db, 'bulk-run.withdrew', { bulkRunId: 4_711, funnelIds: hidden.slice(0, 5) });
    await archive('iv-ada');
    await until('the edit arrives', () => has(ada, 'interview-edited'));
    await createEvents().record(product.db, 'bulk-run.withdrew', { bulkRunId: 4_711, funnelIds: hidden });
    await until('the list is read again', () => has(ada, 'interviews-changed'));
    expect(received(ada)).toEqual(['interview-edited iv-ada', 'interviews-changed ']);
  });

  test('a step is shown to sockets that see its funnel', async () => {
    const sockets = { ada: await connected(people.ada), ben: await connected(people.ben) };
    await product.db.updateTable('interview').set({ summary_status: 'failed', summary_error: 'No text.' }).execute();
    const events = createEvents();
    events.connect({ bulk: { afterStepEnd: async () => false } } as never);
    for (const [interviewId, funnelId] of [
      ['iv-ben', funnels.ben],
      ['iv-ada', funnels.ada],
    ] as const)
      await events.record(product.db, 'step.ended', {
        ...{ interviewId, funnelId, title: 'One', step: 'summarize', videoHost: 'YouTube' },
        ...{ error: 'No text.', note: null },
      });
    await until('both arrive', () => has(sockets.ada, 'summary-failed') && has(sockets.ben, 'summary-failed'));
    expect(received(sockets.ada)).toEqual(['summary-failed iv-ada']);
    expect(received(sockets.ben)).toEqual(['summary-failed iv-ben']);
  });

  test('the activation of a hidden funnel is announced only where the active funnel was visible', async () => {
    const sockets = { ada: await connected(people.ada), admin: await connected(admin) };
    await admin.call(activateFunnel, { params: { id: funnels.ada } });
    await until('it is active', () => received(sockets.ada).length === 1);
    await admin.call(activateFunnel, { params: { id: funnels.ben } });
    await until('it is no longer active', () => received(sockets.ada).length === 2);
    await admin.call(deleteFunnel, { params: { id: funnels.ben } });
    await until('the deletion arrives', () => has(sockets.admin, 'interviews-changed'));
    await archive('iv-ada');
    await until('the edit arrives', () => has(sockets.ada, 'interview-edited'));
    expect(received(sockets.ada)).toEqual(['funnels-changed ', 'funnels-changed ', 'interview-edited iv-ada']);
  });

  test('a bulk run is shown to its user and to recruiters who see all funnels', async () => {
    const all = await signedInAs(product, { role: 'recruiter' });
    const reviewer = await signedInAs(product, { role: 'reviewer' });
    const [ada, ben, colleague, watching] = [
      await connected(people.ada),
      await connected(people.ben),
      await connected(all),
      await connected(reviewer),
    ];
    await startBulk(people.ben, ['iv-ben']);
    await until('it arrives', () => has(ben, 'bulk-run') && has(colleague, 'bulk-run'));
    await startBulk(people.ada, ['iv-ada']);
    await until('the own one arrives', () => has(ada, 'bulk-run'));
    const runs = ({ messages }: Connection) => messages.filter(({ type }) => type === 'bulk-run');
    const { id } = await people.ada.call(getUser, {});
    expect(runs(ada)).toEqual(
      runs(ada).map(() =>
        expect.objectContaining({ data: expect.objectContaining({ startedBy: { id, username: expect.any(String) } }) }),
      ),
    );
    expect(runs(watching)).toEqual([]);
  });

  test('link activity is announced to sockets that see its funnel, and a notice only to its account', async () => {
    const sockets = {
      ada: await connected(people.ada),
      ben: await connected(people.ben),
      admin: await connected(admin),
    };
    const link = await shareOne(people.ben, { interviewIds: ['iv-ben'] });
    await openedGuest(product.app, link);
    await until('the sender is notified', () => has(sockets.ben, 'notices-changed'));
    await until(
      'the opening arrives',
      () => has(sockets.ben, 'shares-changed') && has(sockets.admin, 'shares-changed'),
    );
    await archive('iv-ada');
    await until('the edit arrives', () => has(sockets.ada, 'interview-edited'));
    expect(received(sockets.ada)).toEqual(['interview-edited iv-ada']);
    expect(has(sockets.admin, 'notices-changed')).toBe(false);
    expect(JSON.stringify(sockets.ben.messages)).not.toMatch(/Kim Novak|Ann Lee|iv-ben/);
  });

  test('log entries reach administrators, and recruiters if they are their own', async () => {
    const reviewer = await signedInAs(product, { role: 'reviewer' });
    const sockets = [await connected(admin), await connected(people.ada), await connected(reviewer)] as const;
    for (const { socket } of sockets) socket.send(JSON.stringify({ type: 'subscribe', channel: 'system-logs' }));
    const [ofAdmin, ofAda, ofReviewer] = sockets;
    const archiveAgain = async () => {
      await product.db.updateTable('interview').set({ archived_at: null }).execute();
      await people.ben.call(archiveInterview, { params: { id: 'iv-ben' } });
      await people.ada.call(archiveInterview, { params: { id: 'iv-ada' } });
      return has(ofAdmin, 'system-log', 'iv-ben') && has(ofAda, 'system-log', 'iv-ada');
    };
    await until('the subscriptions work', archiveAgain);
    await product.signedIn();
    await until('the sign-in arrives', () => has(ofAdmin, 'system-log', 'sign-in'));
    await archiveAgain();
    expect(has(ofAda, 'system-log', 'iv-ben') || has(ofAda, 'system-log', 'sign-in')).toBe(false);
    expect(has(ofReviewer, 'system-log')).toBe(false);
  });
});

describe('the refresh of a funnel', () => {
  const IDLE = { inProgress: false, message: null, error: null, funnelId: null, timeframe: null, queue: null };
  const status = (person: Person) => person.call(getSyncStatus, {});

  test('the refresh of a hidden active funnel reads as idle, and changes are a 409', async () => {
    await admin.call(activateFunnel, { params: { id: funnels.ben } });
    const sockets = { ada: await connected(people.ada), ben: await connected(people.ben) };
    const start = (person: Person) => person.call(startSync, { query: { timeframe: 'all' } });
    expect((await refusal(start(people.ada))).body).toMatchObject({ code: 'no_active_funnel' });
    await start(people.ben);
    await until('it is announced', () => has(sockets.ben, 'refresh-status'));
    expect(await status(people.ben)).toMatchObject({ inProgress: true, funnelId: funnels.ben });
    expect(await status(people.ada)).toMatchObject(IDLE);
    expect((await refusal(start(people.ada))).status).toBe(409);
    expect((await refusal(people.ada.call(cancelSync, {}))).status).toBe(409);
    expect(await people.ada.call(dismissSyncError, {})).toMatchObject(IDLE);
    expect(await status(admin)).toMatchObject({ inProgress: true, cancelRequested: false });

    await people.ben.call(cancelSync, {});
    await until('the cancellation arrives', () => has(sockets.ben, 'refresh-status', '"cancelRequested":true'));
    await archive('iv-ada');
    await until('the edit arrives', () => has(sockets.ada, 'interview-edited'));
    // Its own dismissal has changed its status, which is idle.
    expect(sockets.ada.messages.filter(({ type }) => type.startsWith('refresh'))).toMatchObject([{ data: IDLE }]);
  });

  test("a hidden funnel's error is neither shown to nor dismissed by others", async () => {
    await product.db
      .insertInto('sync_run')
      .values({ funnel_id: funnels.ben, status: 'failed', timeframe: 'all', error: 'Broken.' })
      .execute();
    expect(await status(people.ada)).toMatchObject(IDLE);
    await people.ada.call(dismissSyncError, {});
    expect(await status(people.ben)).toMatchObject({ error: 'Broken.' });
    await people.ben.call(dismissSyncError, {});
    expect(await status(people.ben)).toMatchObject({ error: null, funnelId: funnels.ben });
  });

  test('a refresh of all jobs counts the visible ones, and is canceled for these only', async () => {
    const third = await product.build.funnel(admin, { name: 'third', funnelId: 'third' });
    const both = await signedInAs(product, { role: 'recruiter', funnelIds: [third, funnels.ada] });
    const socket = await connected(both);
    await admin.call(activateFunnel, { params: { id: third } });
    await admin.call(startSyncOfAll, {});
    expect(await status(admin)).toMatchObject({ funnelId: third, queue: { position: 1, total: 3 } });
    expect(await status(both)).toMatchObject({ funnelId: third, queue: { position: 1, total: 2 } });
    await until('the start arrives', () => has(socket, 'refresh-status', `"funnelId":${third}`));
    const progress = socket.messages.flatMap((message) => (message.type === 'refresh-status' ? [message.data] : []));
    expect(progress.at(-1)).toMatchObject({ queue: { position: 1, total: 2 } });
    expect(await status(people.ada)).toMatchObject(IDLE);
    await both.call(cancelSync, {});
    expect(await status(both)).toMatchObject({ cancelRequested: true, queue: { position: 1, total: 1 } });
    await until('the last job is refreshed', async () => (await status(admin)).funnelId === funnels.ben);
    expect(await status(both)).toMatchObject({ inProgress: false, funnelId: third });
    expect(await status(people.ada)).toMatchObject(IDLE);
    await until('the end of the visible ones arrives', () => has(socket, 'refresh-completed'));
    expect(JSON.stringify(socket.messages)).not.toContain(`"funnelId":${funnels.ben}`);
  });
});

describe('open sockets', () => {
  /** A socket of Ada in each of two processes. */
  async function inTwoProcesses() {
    const other = await startApp({ jobs: false, database: product.database, dataDir: product.dataDir });
    const at = await listen(other);
    return [await connected(people.ada), await connected(people.ada, at)];
  }

  test('changed funnels take effect on open sockets of every process within two seconds', async () => {
    const sockets = await inTwoProcesses();
    await change(people.ada, { allFunnels: false, funnelIds: [funnels.ben] });
    for (const socket of sockets)
      await withinTwoSeconds('the page reads everything again', () => has(socket, 'interviews-changed'));
    await archive('iv-ada');
    await archive('iv-ben');
    for (const socket of sockets) {
      await until('the new funnel is shown', () => has(socket, 'interview-edited'));
      expect(received(socket)).toEqual(['interviews-changed ', 'interview-edited iv-ben']);
      expect(socket.socket.readyState).toBe(WebSocket.OPEN);
    }
  });

  test('a demotion ends the messages of the former role on open sockets within two seconds', async () => {
    const administrator = await signedInAs(product, { role: 'administrator' });
    const [demoted, other] = [await connected(administrator), await connected(admin)];
    demoted.socket.send(JSON.stringify({ type: 'subscribe', channel: 'system-logs' }));
    await until('the subscription works', async () => {
      await archive('iv-ada');
      await product.db.updateTable('interview').set({ archived_at: null }).execute();
      return has(demoted, 'system-log');
    });
    await change(administrator, { role: 'reviewer' });
    await withinTwoSeconds('the page reads everything again', () => has(demoted, 'interviews-changed'));
    demoted.messages.length = 0;
    await startBulk(admin, ['iv-ada']);
    await until('the run starts', () => has(other, 'bulk-run'));
    await archive('iv-ben');
    await until('the edit arrives', () => has(demoted, 'interview-edited'));
    expect(has(demoted, 'bulk-run') || has(demoted, 'system-log')).toBe(false);
  });

  test('sockets of a disabled account close in every process within two seconds', async () => {
    const sockets = await inTwoProcesses();
    const closed = sockets.map(({ socket }) => once(socket, 'close'));
    await change(people.ada, { isDisabled: true });
    const codes = Promise.all(closed).then((ends) => ends.map(([code]) => code));
    expect(await Promise.race([codes, pause(2_000)])).toEqual([1008, 1008]);
  });

  test('an account change that keeps role and funnels does not affect open sockets', async () => {
    const socket = await connected(people.ada);
    await change(people.ada, { email: 'ada@example.com' });
    await archive('iv-ada');
    await until('the edit arrives', () => has(socket, 'interview-edited'));
    expect(received(socket)).toEqual(['interview-edited iv-ada']);
  });
});
