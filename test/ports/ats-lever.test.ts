import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Connection, connect } from '#server/db/database.ts';
import { ATS_SYSTEMS, failureOf, never, noteAbout } from '#support/ats-systems.ts';
import { mostPerSecond } from '#support/sending.ts';
import { sandboxOfFile } from '#support/start-sandbox.ts';
import { createTestDatabase, type TestDatabase } from '#support/test-database.ts';

const system = ATS_SYSTEMS.Lever;
const sandbox = await sandboxOfFile();
let database: TestDatabase;
let connection: Connection;
beforeAll(async () => {
  database = await createTestDatabase();
  connection = connect(database.applicationUrl, 5, () => {});
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});
const open = () => {
  if (!system) throw new Error('Lever is missing');
  return system.open(sandbox, connection.db);
};
const { lever } = sandbox.control;
const target = { candidateId: 'opp-1', employerId: 'lever', jobId: 'post-frontend' };
const emailOf = (id: string) => lever.opportunities.find((each) => each.id === id)?.emails[0] ?? '';

beforeEach(async () => {
  await system?.connect(sandbox, connection.db);
  sandbox.requests.clear();
});

test('a note acts as the user, ends with its marker, and sends no notifications', async () => {
  await open().createNote(target, noteAbout('iv@1', 'Ask @riley, or riley@agency.example'), never);
  expect(lever.notes).toMatchObject([{ user: 'user-riley' }]);
  const { value } = lever.notes[0] ?? { value: '' };
  expect(value).not.toMatch(/@\w/);
  expect(value.split('\n').at(-1)?.replace('\u200b', '')).toBe('vim:iv@1');
  expect(await open().findNote(target, 'vim:iv@1', never)).toMatchObject({ id: lever.notes[0]?.id });
});

test('a note is found on a further page of notes', async () => {
  const stored = await open().createNote(target, noteAbout('iv_1'), never);
  const [note] = lever.notes.splice(0);
  for (let at = 0; at < 150; at += 1) lever.addNote('opp-1', `Note ${at}\nvim:iv_${at + 10}`, null);
  if (note) lever.notes.push(note);
  expect(await open().findNote(target, 'vim:iv_1', never)).toEqual(stored);
});

test('open postings are searched page by page and cached for ten minutes', async () => {
  const ats = open();
  expect(await ats.searchJobs('position 200', never)).toMatchObject([
    { title: 'Position 200', employerName: 'Talent pool' },
  ]);
  expect(await ats.searchJobs('', never)).toHaveLength(20);
  expect(sandbox.requests.list('/lever/v1/postings')).toHaveLength(3);
});

test('a page of postings with long texts is read', async () => {
  const content = { descriptionHtml: '<p>Works with care.</p>'.repeat(1_000) };
  const data = Array.from({ length: 100 }, (_, at) => ({
    id: `long-${at}`,
    text: 'Nurse',
    state: 'published',
    content,
  }));
  const body = JSON.stringify({ data, hasNext: false });
  expect(body.length).toBeGreaterThan(2 ** 20);
  const fault = sandbox.control.fail({ kind: 'ats-body', body, on: 'lever', path: '/lever/v1/postings', times: 1 });
  expect(await open().searchJobs('nurse', never)).toHaveLength(20);
  expect(fault.hits()).toBe(1);
});

test("a person's opportunities are distinguishable, and the one for the job comes first", async () => {
  const email = emailOf('opp-8');
  const idsFor = async (jobId: string) =>
    (await open().findCandidates({ email, jobId }, never)).map(({ id, name }) => [id, /\(.+\)$/.exec(name)?.[0]]);
  expect(await idsFor('post-frontend')).toEqual([
    ['opp-8', '(New applicant)'],
    ['opp-twin', '(Phone screen)'],
  ]);
  expect(await idsFor('post-nurse')).toEqual([
    ['opp-twin', '(Phone screen)'],
    ['opp-8', '(New applicant)'],
  ]);
});

test('anonymized opportunities, and confidential ones without permission, are not found', async () => {
  const find = async (id: string) =>
    (await open().findCandidates({ email: emailOf(id), jobId: 'post-nurse' }, never)).length;
  expect([await find('opp-10'), await find('opp-11')]).toEqual([0, 0]);
  lever.seesConfidential = true;
  expect(await find('opp-11')).toBe(1);
});

test('notes written by people are neither replaced nor removed', async () => {
  const note = lever.addNote('opp-1', 'Written by hand', 'user-riley');
  note.isMadeByApi = false;
  for (const call of [
    () => open().replaceNote(target, note.id, noteAbout('iv_2'), never),
    () => open().removeNote(target, note.id, never),
  ])
    expect(await failureOf(call())).toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('made by the API'),
    });
  expect(lever.notes).toMatchObject([{ value: 'Written by hand', deletedAt: null }]);
});

test('a denied call names the permission that the key lacks', async () => {
  const body = { code: 'Forbidden', message: 'Missing scope.' };
  sandbox.control.fail({ kind: 'status', status: 403, body, on: 'lever', path: '*/notes' });
  expect(await failureOf(open().createNote(target, noteAbout('iv_3'), never))).toMatchObject({
    kind: 'rejected',
    message:
      'Lever rejected the request (403). Its response: Missing scope. Ask an admin for a key with permission for notes.',
  });
});

test('25 concurrent notes stay below the limit of Lever', { timeout: 20_000 }, async () => {
  const ats = open();
  await ats.check(never);
  await Promise.all(Array.from({ length: 25 }, (_, at) => ats.createNote(target, noteAbout(`iv_${at}`), never)));
  const requests = sandbox.requests.list('/lever/v1/');
  expect(requests.every(({ status }) => status !== 429)).toBe(true);
  expect(mostPerSecond(sandbox)).toBeLessThanOrEqual(10);
});

test('calls of two processes together stay below the limit of Lever', async () => {
  const processes = [open(), open()];
  const startedAt = performance.now();
  await Promise.all(processes.flatMap((ats) => Array.from({ length: 10 }, () => ats.findNote(target, 'vim:x', never))));
  expect(sandbox.requests.list('/lever/v1/opportunities/opp-1/notes')).toHaveLength(20);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(19 * 100);
});

test('setting a clock back does not delay calls', async () => {
  await open().findNote(target, 'vim:x', never);
  await connection.db
    .updateTable('ats_pace')
    .set({ next_call_at: new Date(Date.now() + 3_600_000) })
    .execute();
  expect(await open().findNote(target, 'vim:x', never)).toBeNull();
});
