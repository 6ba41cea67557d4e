import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { FaultInput } from '#sandbox/faults/fault.ts';
import { type Connection, connect } from '#server/db/database.ts';
import {
  ATS_SYSTEMS,
  type AtsSettings,
  bullhornConnection,
  failureOf,
  never,
  noteAbout,
} from '#support/ats-systems.ts';
import { sandboxOfFile } from '#support/start-sandbox.ts';
import { createTestDatabase, type TestDatabase } from '#support/test-database.ts';

const [system] = Object.values(ATS_SYSTEMS);
const sandbox = await sandboxOfFile();
let database: TestDatabase;
/** One connection for each of two processes. */
let connections: Connection[];
beforeAll(async () => {
  database = await createTestDatabase();
  connections = [1, 2].map(() => connect(database.applicationUrl, 5, () => {}));
});
afterAll(async () => {
  for (const connection of connections) await connection.close();
  await database.drop();
});
const db = (process = 0) => (connections[process] as Connection).db;
const open = (process = 0, settings: AtsSettings = {}) => {
  if (!system) throw new Error('Bullhorn is missing');
  return system.open(sandbox, db(process), settings);
};
const { tokens, store } = sandbox.control.bullhorn;
const count = (path: string) => sandbox.requests.list(path).length;
const refreshes = () => count('/oauth/token');
const signIns = () => count('/rest-services/login') - count('/rest-services/loginInfo');
const target = { candidateId: '1001', employerId: '4711', jobId: '88' };

beforeEach(async () => {
  await system?.connect(sandbox, db());
  sandbox.requests.clear();
});

test('calls of all processes share one session', async () => {
  const all = [open(0), open(1), open(1)];
  await Promise.all(all.map((ats) => ats.check(never)));
  for (const ats of all) await ats.searchJobs('', never);
  expect([signIns(), refreshes()]).toEqual([1, 0]);
});

test('an ended session is replaced with the access token, and calls continue', async () => {
  const ats = open();
  await ats.check(never);
  tokens.endSessions();
  expect(await ats.check(never)).toMatchObject({ canWrite: true });
  expect([signIns(), refreshes()]).toEqual([2, 0]);
});

test('50 concurrent calls of two processes with an expired access token refresh once', async () => {
  const all = [open(0), open(1)];
  for (const ats of all) await ats.check(never);
  tokens.endSessions();
  tokens.expireAccessTokens();
  const notes = Array.from({ length: 50 }, (_, at) => noteAbout(`iv_${at}`));
  await Promise.all(notes.map((note, at) => all[at % 2]?.createNote(target, note, never)));
  expect(store.rows('Note')).toHaveLength(50);
  expect(refreshes()).toBe(1);
});

test('each refresh uses the token of the one before', async () => {
  const ats = open();
  for (let round = 0; round < 3; round += 1) {
    tokens.endSessions();
    tokens.expireAccessTokens();
    expect(await ats.check(never)).toMatchObject({ canWrite: true });
  }
  expect(refreshes()).toBe(3);
});

test('a process with an old session adopts the newer one', async () => {
  const [first, second] = [open(0), open(1)];
  for (const ats of [first, second]) await ats.check(never);
  tokens.endSessions();
  await first.check(never);
  // The session in the database is newer than the one of the second process, and has ended as well.
  tokens.endSessions();
  expect(await second.check(never)).toMatchObject({ canWrite: true });
  expect((await bullhornConnection(db()).read()).state).toBe('connected');
});

test('a used refresh token needs a new consent, which all processes then use', async () => {
  const [first, second] = [open(0), open(1)];
  await first.check(never);
  const { signIn } = await bullhornConnection(db()).read();
  tokens.renew((JSON.parse(signIn ?? '{}') as { refreshToken: string }).refreshToken);
  tokens.endSessions();
  tokens.expireAccessTokens();
  expect(await failureOf(first.check(never))).toMatchObject({
    kind: 'unauthorised',
    message: 'Bullhorn no longer accepts our sign-in. Ask an admin to run `npm run ats:connect`.',
  });
  expect(await failureOf(second.check(never))).toMatchObject({ kind: 'unauthorised' });
  await system?.connect(sandbox, db());
  for (const ats of [first, second]) expect(await ats.check(never)).toMatchObject({ canWrite: true });
});

test('a new session that is rejected needs a new consent', async () => {
  const ats = open();
  await ats.check(never);
  sandbox.control.fail({ kind: 'status', status: 401, on: 'bullhorn', path: '/bullhorn/rest-services/e999/*' });
  expect(await failureOf(ats.check(never))).toMatchObject({ kind: 'unauthorised' });
  expect((await bullhornConnection(db()).read()).state).toBe('reconnect');
  expect(signIns()).toBe(2);
});

test('without a consent, nothing is called', async () => {
  await db().deleteFrom('ats_connection').execute();
  expect(await failureOf(open().check(never))).toMatchObject({
    message: "Bullhorn isn't connected. Ask an admin to run `npm run ats:connect`.",
  });
  expect(count('/bullhorn')).toBe(0);
});

test('an outage during the sign-in keeps the connection', async () => {
  const fault = sandbox.control.fail({ kind: 'status', status: 503, on: 'bullhorn', path: '*/login' });
  expect(await failureOf(open().check(never))).toMatchObject({ kind: 'unavailable' });
  fault.stop();
  expect(await open().check(never)).toMatchObject({ canWrite: true });
});

test('redirects to another data center are followed, including for writes', async () => {
  sandbox.control.fail({ kind: 'bullhorn-other-data-center' });
  const ats = open();
  await ats.createNote(target, noteAbout('iv_west'), never);
  tokens.endSessions();
  tokens.expireAccessTokens();
  expect(await ats.findNote(target, 'vim:iv_west', never)).not.toBeNull();
  expect(refreshes()).toBe(2);
});

test.each([
  ['another domain', 'http://bullhorn.example.com/'],
  ['cloud metadata', 'http://169.254.169.254/rest-services'],
  ['another protocol', 'file:///etc/passwd'],
  ['no address', 'nonsense'],
])('keys are not sent to %s from a response', async (_, url) => {
  const body = JSON.stringify({ oauthUrl: url, restUrl: url });
  sandbox.control.fail({ kind: 'ats-body', body, path: '*/loginInfo' });
  expect(await failureOf(open().check(never))).toMatchObject({
    kind: 'bad_response',
    message: expect.stringMatching(/isn't in the domain of BULLHORN_LOGIN_URL/),
  });
});

test('keys are not sent to a session address of another domain', async () => {
  const body = JSON.stringify({ BhRestToken: 'x'.repeat(20), restUrl: 'http://127.0.0.2/rest-services/e1/' });
  sandbox.control.fail({ kind: 'ats-body', body, path: '*/login' });
  expect(await failureOf(open().check(never))).toMatchObject({ kind: 'bad_response' });
});

test('endless redirects fail', async () => {
  sandbox.control.fail({ kind: 'bullhorn-other-data-center', isEndless: true });
  expect(await failureOf(open().check(never))).toMatchObject({
    kind: 'rejected',
    message: 'Bullhorn has moved (307). Ask an admin to check BULLHORN_LOGIN_URL.',
  });
  expect(count('/bullhorn')).toBe(4);
});

test('a note is searchable only after a while, and is then found', async () => {
  const fault = sandbox.control.fail({ kind: 'ats-index-lags', ms: 60_000 });
  const ats = open();
  await ats.createNote(target, noteAbout('iv_5'), never);
  expect(await ats.findNote(target, 'vim:iv_5', never)).toBeNull();
  fault.stop();
  expect(await ats.findNote(target, 'vim:iv_5', never)).not.toBeNull();
});

test('a note has an allowed type, the candidate and the job, and its text is escaped', async () => {
  await open().createNote(target, noteAbout('iv_6', '<script>alert(1)</script>\n\nA "quote" & more'), never);
  expect(store.rows('Note')).toMatchObject([
    {
      action: 'Video Interview',
      personReference: { id: 1001 },
      jobOrder: { id: 88 },
      externalID: 'vim:iv_6',
      comments:
        '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p><p>A &quot;quote&quot; &amp; more</p>' +
        '<p><a href="https://interviews.example.com/?interview=iv_6&amp;t=72">Watch the interview</a></p>',
    },
  ]);
});

test('a removed note keeps neither its text nor its marker', async () => {
  const ats = open();
  const { id } = await ats.createNote(target, noteAbout('iv_7'), never);
  await ats.removeNote(target, id, never);
  expect(store.rows('Note')).toMatchObject([{ isDeleted: true, comments: '<p>Erased.</p>', externalID: '' }]);
});

test('candidates are found in each of the three e-mail fields, without deleted ones', async () => {
  const emails = ['1004', '1006', '1008', '1010'].map((id) => {
    const { email, email2, email3 } = store.find('Candidate', Number(id)) as Record<string, unknown>;
    return String(email || email2 || email3);
  });
  const found = [];
  for (const email of emails) found.push((await open().findCandidates({ email, jobId: '88' }, never)).length);
  expect(found).toEqual([1, 1, 2, 0]);
});

test('repeated look-ups of a job and a candidate call Bullhorn once', async () => {
  const ats = open();
  for (let round = 0; round < 3; round += 1) {
    await ats.findJob({ employerId: '4711', jobId: '88' }, never);
    await ats.findCandidates({ email: 'amara.okafor@example.com', jobId: '88' }, never);
  }
  expect(count('/rest-services/e999/')).toBe(2);
});

test.each<[string, FaultInput]>([
  ['the client', { kind: 'ats-body', body: '{"error":"invalid_client"}', path: '*/token' }],
  ['the data center', { kind: 'status', status: 400, on: 'bullhorn', path: '*/loginInfo' }],
])('a rejection of %s names the variable and keeps the connection', async (_, fault) => {
  tokens.expireAccessTokens();
  sandbox.control.fail(fault);
  expect(await failureOf(open().check(never))).toMatchObject({
    kind: 'rejected',
    message: expect.stringMatching(/Ask an admin to check BULLHORN_(CLIENT_ID and BULLHORN_CLIENT_SECRET|USERNAME)\./),
  });
  expect((await bullhornConnection(db()).read()).state).toBe('connected');
});
