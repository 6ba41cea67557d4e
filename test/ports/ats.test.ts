import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FaultInput } from '#sandbox/faults/fault.ts';
import { type Connection, connect } from '#server/db/database.ts';
import { ATS_SYSTEMS, failureOf, never, noteAbout } from '#support/ats-systems.ts';
import { sandboxOfFile } from '#support/start-sandbox.ts';
import { createTestDatabase, type TestDatabase } from '#support/test-database.ts';

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

describe.each(Object.entries(ATS_SYSTEMS))('%s', (name, system) => {
  const { mount, target, openJob, closedJob, candidate } = system;
  const open = (settings = {}) => system.open(sandbox, connection.db, settings);
  const fail = (fault: FaultInput) => sandbox.control.fail(fault);
  const requests = () => sandbox.requests.list(system.calls).length;
  const calls = `${system.calls}*`;

  beforeEach(() => system.connect(sandbox, connection.db));

  test('the check reports the account and whether it may write', async () => {
    expect(await open().check(never)).toEqual({ account: system.account(sandbox), canWrite: true });
    expect(open().name).toBe(name);
  });

  test.each([
    ['a word of the title', 'frontend', true],
    ['the beginnings of words, in any case', 'SEN front', true],
    ['the client', openJob.employerName.split(' ')[0] ?? '', true],
    ['no word', '', true],
    ['characters of the query language', 'frontend") OR (x:*', false],
    ['a word that no open job has', 'zookeeper', false],
  ])('a search for %s finds open jobs', async (_, search, isFound) => {
    const jobs = await open().searchJobs(search, never);
    expect(jobs.some(({ jobId }) => jobId === openJob.jobId)).toBe(isFound);
    expect(jobs.some(({ jobId }) => jobId === closedJob.jobId)).toBe(false);
  });

  test('a job is found with its client, its state and its page', async () => {
    const url = expect.stringMatching(/^https?:\/\//);
    expect(await open().findJob(openJob, never)).toEqual({ ...openJob, isOpen: true, url });
    expect(await open().findJob(closedJob, never)).toMatchObject({ ...closedJob, isOpen: false });
    expect(await open().findJob({ employerId: '1', jobId: openJob.jobId }, never)).toMatchObject(openJob);
  });

  test.each(['999999', 'ACME/../88', '88 OR 1=1', '𝒳'])('job %s does not exist', async (jobId) => {
    expect(await open().findJob({ ...openJob, jobId }, never)).toBeNull();
  });

  test('candidates are found by their e-mail address in any case', async () => {
    const email = candidate.email.toUpperCase();
    const found = await open().findCandidates({ email, jobId: openJob.jobId }, never);
    expect(found).toMatchObject([{ id: candidate.id, name: expect.stringMatching(/\S/), email }]);
    expect(await open().findCandidates({ email: 'nobody"@example.com', jobId: openJob.jobId }, never)).toEqual([]);
  });

  test('a note is written, found by its marker, replaced and removed', async () => {
    const ats = open();
    const note = noteAbout('iv_1');
    const stored = await ats.createNote(target, note, never);
    expect(await ats.findNote(target, note.marker, never)).toEqual(stored);
    expect(await ats.findNote(target, 'vim:iv_10', never)).toBeNull();
    expect(system.notes(sandbox)).toEqual([expect.stringContaining('I ask first')]);

    expect(await ats.replaceNote(target, stored.id, noteAbout('iv_1', 'Changed.'), never)).toEqual(stored);
    expect(system.notes(sandbox)).toEqual([expect.stringContaining('Changed.')]);
    expect(await ats.findNote(target, note.marker, never)).toEqual(stored);

    await ats.removeNote(target, stored.id, never);
    await ats.removeNote(target, stored.id, never);
    expect(system.notes(sandbox)).toEqual([]);
    expect(await ats.findNote(target, note.marker, never)).toBeNull();
  });

  test('a note about an interview with the longest possible id is written and found by its marker', async () => {
    const ats = open();
    const note = noteAbout(`${'i'.repeat(199)}a`);
    const stored = await ats.createNote(target, note, never);
    expect(await ats.findNote(target, note.marker, never)).toEqual(stored);
    expect(await ats.findNote(target, noteAbout(`${'i'.repeat(199)}b`).marker, never)).toBeNull();
  });

  test('a note that does not exist cannot be replaced', async () => {
    expect(await failureOf(open().replaceNote(target, '1', noteAbout('iv_1'), never))).toMatchObject({
      kind: 'not_found',
    });
  });

  test('a note whose response is lost may be stored, is not written twice, and is found', async () => {
    const ats = open();
    await ats.check(never);
    fail({ kind: 'ats-response-lost', on: mount, times: 1 });
    const failure = await failureOf(ats.createNote(target, noteAbout('iv_2'), never));
    expect(failure).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining(`${name} can't be reached`),
    });
    expect(system.notes(sandbox)).toHaveLength(1);
    expect(await ats.findNote(target, 'vim:iv_2', never)).not.toBeNull();
  });

  test('a call is retried after a 429, and fails if the 429 persists', async () => {
    const ats = open();
    await ats.check(never);
    fail({ kind: 'status', status: 429, on: mount, path: calls, times: 2 });
    expect(await ats.searchJobs('', never)).not.toEqual([]);
    sandbox.control.clearFaults();
    fail({ kind: 'status', status: 429, on: mount, path: calls });
    const before = requests();
    expect(await failureOf(ats.findNote(target, 'vim:iv_2', never))).toMatchObject({ kind: 'rate_limited' });
    expect(requests() - before).toBe(3);
  });

  test.each<[string, FaultInput, string]>([
    ['a server error', { kind: 'status', status: 500 }, 'unavailable'],
    ['a reset', { kind: 'reset', when: 'before-headers' }, 'unavailable'],
    ['half a response', { kind: 'reset', when: 'after-headers' }, 'unavailable'],
    ['silence', { kind: 'hang' }, 'unavailable'],
    ['a body that takes too long', { kind: 'ats-slow', bytesPerSecond: 10 }, 'unavailable'],
    ['20 MB', { kind: 'ats-body', body: 'x'.repeat(1_024), repeats: 20_480 }, 'bad_response'],
    ['HTML', { kind: 'ats-body', body: '<!doctype html><h1>Maintenance</h1>' }, 'bad_response'],
    ['nonsense', { kind: 'ats-body', body: '{"data": "none", "changedEntityId": {}}' }, 'bad_response'],
    ['nothing', { kind: 'ats-body', body: '' }, 'bad_response'],
    ['a redirect', { kind: 'status', status: 302 }, 'rejected'],
    ['a lack of permission', { kind: 'status', status: 403 }, 'rejected'],
    ['a missing record', { kind: 'status', status: 410 }, 'not_found'],
  ])('%s fails each call once with a message', async (_, fault, kind) => {
    const isSilent = fault.kind === 'hang' || fault.kind === 'ats-slow';
    const ats = open({ timeoutMs: isSilent ? 600 : 10_000 });
    await ats.createNote(target, noteAbout('iv_0'), never);
    fail({ on: mount, path: calls, ...fault } as FaultInput);
    for (const call of [
      () => ats.searchJobs('nurse', never),
      () => ats.createNote(target, noteAbout('iv_3'), never),
      () => ats.findNote(target, 'vim:iv_3', never),
    ]) {
      const before = requests();
      const failure = await failureOf(call());
      expect(failure).toMatchObject({ kind, message: expect.stringMatching(new RegExp(`^${name}.*\\.$`)) });
      expect(requests() - before).toBe(1);
    }
  });

  test('a caller stops waiting when its signal aborts', async () => {
    const ats = open();
    await ats.check(never);
    fail({ kind: 'hang', on: mount });
    await expect(ats.searchJobs('', AbortSignal.timeout(50))).rejects.toThrow(/abort|timeout/i);
  });

  test('a persistently rejected sign-in stops all calls and names who must act', async () => {
    const ats = open();
    await ats.check(never);
    system.revoke(sandbox);
    const failures = [await failureOf(ats.check(never)), await failureOf(ats.searchJobs('', never))];
    const before = sandbox.requests.list(`/${mount}/`).length;
    failures.push(await failureOf(open().createNote(target, noteAbout('iv_4'), never)));
    expect(sandbox.requests.list(`/${mount}/`).length).toBe(before);
    for (const failure of failures)
      expect(failure).toMatchObject({ kind: 'unauthorised', message: expect.stringContaining('Ask an admin to') });
  });

  test('messages contain no secrets that the ATS repeats', async () => {
    const ats = open();
    await ats.check(never);
    fail({ kind: 'status', status: 400, on: mount, path: calls, repeatsHeaders: true });
    const { message } = await failureOf(ats.check(never));
    expect(message).toContain('Bad headers');
    expect(message).not.toMatch(/sandbox-(session|key|access)/);
  });
});
