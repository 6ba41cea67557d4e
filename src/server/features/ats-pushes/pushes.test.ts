import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sendToAts } from '#contracts/ats-pushes.ts';
import { getBulkRun, startBulkRun } from '#contracts/bulk.ts';
import { deleteFunnel } from '#contracts/funnels.ts';
import { getInterview, listInterviews, saveSummary, setDestination } from '#contracts/interviews.ts';
import { listLogs } from '#contracts/logs.ts';
import type { FaultInput } from '#sandbox/faults/fault.ts';
import { refusal } from '#support/call.ts';
import { candidateCommand } from '#support/candidate.ts';
import { connect, listen } from '#support/live-socket.ts';
import { signedInAs } from '#support/people.ts';
import { AMARA, BULLHORN_CALLS, insertSendable, JOB, SUMMARY, senderOf, setUpSending } from '#support/sending.ts';
import { Guest, shareOne } from '#support/sharing.ts';
import { startApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';
import { waitingSessions } from '#support/waiting-sessions.ts';

const TEXT = ['Video interview: Amara for Frontend', 'Recorded on March 1, 2026', '', SUMMARY].join('\n');
const LINK = 'https://interviews.example/?interview=iv_1';
const NOTES = `${BULLHORN_CALLS}entity/Note*`;
const SEARCHES = `${BULLHORN_CALLS}search/Note*`;

test('the preview shows the candidates, the job and the note, and the note is sent as shown', async () => {
  const { sandbox, recruiter, show, send, reaches, notes } = await setUpSending();
  expect(await show()).toEqual({
    candidates: [{ id: AMARA.candidateId, name: 'Amara Okafor', email: AMARA.email, url: expect.any(String) }],
    job: { ...JOB, employerName: 'Northwind Health', isOpen: true, url: expect.any(String) },
    note: `${TEXT}\n\nWatch the interview: ${LINK}`,
    push: null,
  });
  const before = sandbox.requests.list(BULLHORN_CALLS).length;
  expect(await send()).toEqual({ state: 'pending', isChanged: false, url: null, error: null, sentAt: null });
  const push = await reaches('sent');
  expect(push).toEqual({
    state: 'sent',
    isChanged: false,
    url: expect.any(String),
    error: null,
    sentAt: expect.any(String),
  });
  expect(sandbox.requests.list(BULLHORN_CALLS).length - before).toBeLessThanOrEqual(5);
  const [note, ...others] = notes();
  expect(others).toEqual([]);
  expect(note).toMatchObject({
    externalID: 'vim:iv_1',
    personReference: { id: Number(AMARA.candidateId) },
    jobOrder: { id: Number(JOB.jobId) },
    comments: expect.stringContaining('Calm &amp; kind.'),
  });
  expect(note?.comments).toContain('[1:12] “I ask first.”');
  expect(note?.comments).toContain(`href="${LINK}"`);
  expect(Object.keys(note ?? {})).not.toContain('screeningScore');
  const { interviews } = await recruiter.call(listInterviews, { query: { texts: 'false' } });
  expect(interviews.map((interview) => interview.push)).toEqual([push]);
  const { logs } = await recruiter.call(listLogs, { query: {} });
  expect(logs[0]).toMatchObject({
    action: 'send-to-ats',
    summary: 'Interview "Amara for Frontend" was sent to Bullhorn.',
    actor: { name: 'admin' },
  });
});

test('a preview reports an ATS that does not respond', async () => {
  const { sandbox, show } = await setUpSending();
  sandbox.control.fail({ kind: 'hang', on: 'bullhorn' });
  const { timeout } = AbortSignal;
  const faster = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout.call(AbortSignal, ms / 100));
  onTestFinished(() => faster.mockRestore());
  expect(await refusal(show())).toMatchObject({
    status: 502,
    body: { message: "Bullhorn didn't respond in time. Try again." },
  });
});

test('an interview with a longer id than Bullhorn stores is sent, and stays one note after an update', async () => {
  const { product, recruiter, funnelId, send, reaches, notes } = await setUpSending();
  const id = `iv_${'1'.repeat(197)}`;
  await insertSendable(product, funnelId, [{ id }]);
  await send(id);
  await reaches('sent', id);
  await recruiter.call(saveSummary, { params: { id }, body: { summaryText: 'Overview\nEven better.' } });
  await send(id);
  expect(await reaches('sent', id)).toMatchObject({ isChanged: false });
  expect(notes()).toMatchObject([{ comments: expect.stringContaining('Even better.') }]);
});

test('a note changes only when a user updates it, and stays one note', async () => {
  const { recruiter, show, send, read, reaches, notes } = await setUpSending();
  await send();
  const { sentAt } = await reaches('sent');
  expect(await send()).toMatchObject({ state: 'sent', isChanged: false, sentAt });
  await recruiter.call(saveSummary, { params: { id: 'iv_1' }, body: { summaryText: 'Overview\nEven better.' } });
  expect(await read()).toMatchObject({ state: 'sent', isChanged: true });
  expect((await recruiter.call(listInterviews, { query: {} })).interviews[0]?.push).toMatchObject({ isChanged: true });
  expect((await show()).note).toContain('Even better.');
  expect(notes()[0]?.comments).toContain('Calm &amp; kind.');
  expect(await send()).toMatchObject({ state: 'pending', isChanged: true, sentAt });
  expect(await reaches('sent')).toMatchObject({ isChanged: false });
  expect(notes()).toMatchObject([{ comments: expect.stringContaining('Even better.') }]);
});

test("a client's verdict is added when the user chooses it, and a later one counts as a change", async () => {
  const { product, recruiter, show, send, read, reaches, notes } = await setUpSending();
  const link = await shareOne(recruiter, { interviewIds: ['iv_1'] });
  const shareId = link.id;
  await expect(send('iv_1', { shareId })).rejects.toMatchObject({ status: 409, body: { field: 'shareId' } });
  const guest = new Guest(product.app, link);
  await guest.open();
  const decide = (verdict: string, note: string) =>
    guest.request({ method: 'PUT', url: '/verdict', payload: { n: 1, verdict, note } });
  await decide('yes', 'Very clear answers');
  expect((await show('iv_1', { shareId })).note).toContain("Client's verdict\nAnn Lee: Yes\n“Very clear answers”");
  expect((await show()).note).not.toContain('Ann Lee');
  await send('iv_1', { shareId });
  expect(await reaches('sent')).toMatchObject({ isChanged: false });
  expect(notes()[0]?.comments).toContain('“Very clear answers”');
  await decide('maybe', 'On second thought');
  expect(await read()).toMatchObject({ isChanged: true });
  await send('iv_1', { shareId });
  expect(await reaches('sent')).toMatchObject({ isChanged: false });
  expect(notes()).toMatchObject([{ comments: expect.stringContaining('On second thought') }]);
  await product.db.deleteFrom('share').execute();
  expect(await read()).toMatchObject({ isChanged: false });
});

test('an interview that cannot be sent is rejected with the responsible field', async () => {
  const { product, recruiter, funnelId, send, show } = await setUpSending();
  await insertSendable(product, funnelId, [
    { id: 'no destination', destinationId: null },
    { id: 'no summary', summary: undefined },
    { id: 'no address', email: null },
    { id: 'nobody', email: 'nobody@example.com' },
    { id: 'other client', destinationId: 'BUB-4712-88' },
    { id: 'no job', destinationId: 'BUB-4711-999' },
    { id: 'shared' },
  ]);
  const other = await shareOne(recruiter, { interviewIds: ['shared'] });
  const guest = new Guest(product.app, other);
  await guest.open();
  await guest.request({ method: 'PUT', url: '/verdict', payload: { n: 1, verdict: 'yes' } });
  const refusals: [string, object, string][] = [
    ['no destination', {}, 'destinationId'],
    ['no summary', {}, 'summaryText'],
    ['no address', {}, 'candidateEmail'],
    ['nobody', {}, 'candidateId'],
    ['other client', {}, 'destinationId'],
    ['no job', {}, 'destinationId'],
    ['iv_1', { candidateId: '1002' }, 'candidateId'],
    ['iv_1', { candidateId: "1001' OR 1=1" }, 'candidateId'],
    ['iv_1', { shareId: other.id }, 'shareId'],
    ['iv_1', { shareId: 999 }, 'shareId'],
  ];
  for (const [id, body, field] of refusals)
    await expect(send(id, body), `${id} ${JSON.stringify(body)}`).rejects.toMatchObject({
      status: 409,
      body: { field },
    });
  expect(await show('no destination')).toMatchObject({
    candidates: [{ id: AMARA.candidateId }],
    job: null,
    push: null,
  });
  expect(await show('nobody')).toMatchObject({ candidates: [], job: { jobId: JOB.jobId } });
  expect(await show('no job')).toMatchObject({ candidates: [{ id: AMARA.candidateId }], job: null });
});

test('reviewers and recruiters of other funnels can neither see nor send', async () => {
  const { product, sandbox, recruiter } = await setUpSending();
  const otherId = await product.build.funnel(recruiter, { funnelId: 'other' });
  const stranger = senderOf(await signedInAs(product, { role: 'recruiter', funnelIds: [otherId] }), sandbox);
  const reviewer = senderOf(await signedInAs(product, { role: 'reviewer' }), sandbox);
  for (const { who, status } of [
    { who: stranger, status: 404 },
    { who: reviewer, status: 403 },
  ]) {
    await expect(who.show()).rejects.toMatchObject({ status });
    await expect(who.send()).rejects.toMatchObject({ status });
  }
});

test('markup in texts is escaped for Bullhorn', async () => {
  const { product, recruiter, send, reaches, notes } = await setUpSending();
  const attack = '<img src=x onerror=alert(1)>"\'</p><script>alert(2)</script>&lt;b&gt;';
  await product.db.updateTable('interview').set({ title: attack }).execute();
  await recruiter.call(saveSummary, { params: { id: 'iv_1' }, body: { summaryText: attack } });
  await send();
  await reaches('sent');
  const html = String(notes()[0]?.comments);
  expect(html).not.toMatch(/<(img|script|b)\b/i);
  expect(html).toContain('&lt;script&gt;');
  expect(html).toContain('&amp;lt;b&amp;gt;');
});

describe('exactly once', () => {
  test.each<[string, FaultInput[]]>([
    ['the reply is lost after the note was stored', [{ kind: 'ats-response-lost', path: NOTES, times: 1 }]],
    ['the note is not stored', [{ kind: 'status', status: 500, on: 'bullhorn', path: NOTES, times: 1 }]],
    [
      'the connection breaks before it is stored',
      [{ kind: 'reset', when: 'before-headers', on: 'bullhorn', path: NOTES, times: 1 }],
    ],
    ['the response is cut', [{ kind: 'reset', when: 'after-headers', on: 'bullhorn', path: NOTES, times: 1 }]],
    ['the response is nonsense', [{ kind: 'ats-body', body: '{"changedEntityId": {}}', path: NOTES, times: 1 }]],
    [
      'the response is HTML',
      [{ kind: 'ats-body', body: '<!doctype html><h1>Maintenance</h1>', path: NOTES, times: 1 }],
    ],
    ['the response is 20 MB', [{ kind: 'ats-body', body: 'x'.repeat(1_024), repeats: 20_480, path: NOTES, times: 1 }]],
    ['the response is empty', [{ kind: 'ats-body', body: '', path: NOTES, times: 1 }]],
    [
      'the reply is lost, and the index lags',
      [
        { kind: 'ats-response-lost', path: NOTES, times: 1 },
        { kind: 'ats-index-lags', ms: 500 },
      ],
    ],
    [
      'the reply is lost, and searches fail',
      [
        { kind: 'ats-response-lost', path: NOTES, times: 1 },
        { kind: 'status', status: 503, on: 'bullhorn', path: SEARCHES, times: 3 },
      ],
    ],
    [
      'two replies are lost',
      [
        { kind: 'ats-response-lost', path: NOTES, times: 1 },
        { kind: 'status', status: 500, on: 'bullhorn', path: NOTES, times: 1 },
      ],
    ],
  ])('exactly one note exists although %s', async (_, faults) => {
    const { sandbox, send, reaches, notes } = await setUpSending();
    for (const fault of faults) sandbox.control.fail(fault);
    await send();
    expect(await reaches('unclear')).toMatchObject({ error: expect.stringMatching(/^Bullhorn.*\.$/) });
    await reaches('sent');
    expect(notes()).toHaveLength(1);
  });

  test('a click searches for the note immediately', async () => {
    const slow = {
      delaysMs: [600_000],
      parkMs: 600_000,
      repeatAfterMs: [600_000],
      giveUpMs: 9_000_000,
      checkTimeoutMs: 5_000,
    };
    const { sandbox, send, reaches, notes } = await setUpSending({ paces: { pushRetry: slow } });
    sandbox.control.fail({ kind: 'ats-response-lost', path: NOTES, times: 1 });
    sandbox.control.fail({ kind: 'ats-index-lags', ms: 60_000 });
    await send();
    await reaches('unclear');
    const searches = () => sandbox.requests.list(`${BULLHORN_CALLS}search/Note`).length;
    const before = searches();
    expect(await send()).toMatchObject({ state: 'unclear' });
    await until('it is searched', () => searches() > before || null);
    // Not finding it this early proves nothing.
    expect(await reaches('unclear')).toMatchObject({ state: 'unclear' });
    expect(notes()).toHaveLength(1);
    sandbox.control.clearFaults();
    await send();
    await reaches('sent');
    expect(notes()).toHaveLength(1);
  });

  test('twenty concurrent clicks write one note', async () => {
    const { send, reaches, notes } = await setUpSending();
    await Promise.all(Array.from({ length: 20 }, () => send()));
    await reaches('sent');
    expect(notes()).toHaveLength(1);
  });

  test('a note of an earlier row is updated', async () => {
    const { product, send, reaches, notes } = await setUpSending();
    await send();
    await reaches('sent');
    await product.db.deleteFrom('ats_push').execute();
    await product.db.updateTable('interview_text').set({ summary_text: 'Overview\nNew.' }).execute();
    await send();
    await reaches('sent');
    expect(notes()).toMatchObject([{ comments: expect.stringContaining('New.') }]);
  });

  test('an update rewrites a note that was deleted in the ATS', async () => {
    const { sandbox, product, send, reaches, notes } = await setUpSending();
    await send();
    await reaches('sent');
    const [note] = notes();
    const rows = sandbox.control.bullhorn.store.rows('Note') ?? [];
    rows.splice(0, rows.length);
    await product.db.updateTable('interview_text').set({ summary_text: 'Overview\nNew.' }).execute();
    await send();
    await reaches('sent');
    expect(notes()).toMatchObject([{ comments: expect.stringContaining('New.') }]);
    expect(notes()[0]?.id).not.toBe(note?.id);
  });

  test.each([
    ['before its creation', SEARCHES],
    ['while its creation runs', NOTES],
  ])('another process continues a push whose process ended %s', async (_, path) => {
    const { sandbox, product, send, notes } = await setUpSending();
    const fault = sandbox.control.fail({ kind: 'hang', on: 'bullhorn', path });
    await send();
    await until('the call hangs', () => fault.hits() > 0 || null);
    await product.stop();
    sandbox.control.clearFaults();
    const next = await startApp({ env: product.environment, database: product.database, dataDir: product.dataDir });
    const again = senderOf(await next.signedIn(), sandbox);
    await again.reaches('sent');
    expect(notes()).toHaveLength(1);
  });
});

test.each<[string, FaultInput, string]>([
  ['a refusal', { kind: 'status', status: 400, on: 'bullhorn', path: NOTES }, 'failed'],
  ['a lack of permission', { kind: 'status', status: 403, on: 'bullhorn', path: NOTES }, 'failed'],
])('%s fails the push with a message, without a retry', async (_, fault, state) => {
  const { sandbox, recruiter, send, reaches, notes } = await setUpSending();
  const broken = sandbox.control.fail(fault);
  await send();
  const push = await reaches(state as 'failed');
  expect(push).toMatchObject({ isChanged: false, error: expect.stringMatching(/^Bullhorn.*\.$/), sentAt: null });
  expect(broken.hits()).toBe(1);
  const { logs } = await recruiter.call(listLogs, { query: { type: 'error' } });
  expect(logs[0]).toMatchObject({
    action: 'send-to-ats',
    summary: expect.stringContaining('was not sent to Bullhorn'),
  });
  sandbox.control.clearFaults();
  await send();
  expect(await reaches('sent')).toMatchObject({ error: null });
  expect(notes()).toHaveLength(1);
});

test('a revoked sign-in fails the push and stops retries', async () => {
  const { sandbox, show, send, reaches } = await setUpSending();
  await show();
  sandbox.control.bullhorn.tokens.revoke();
  await send();
  expect(await reaches('failed')).toMatchObject({ error: expect.stringContaining('Ask an admin to') });
  const calls = () => sandbox.requests.list('/bullhorn/').length;
  const before = calls();
  await send();
  await reaches('failed');
  // The process still has its session.
  expect(calls() - before).toBeLessThanOrEqual(1);
});

test('a 429 parks the push, and a click resumes it', async () => {
  const { sandbox, send, reaches, read, notes } = await setUpSending();
  const limited = sandbox.control.fail({ kind: 'status', status: 429, on: 'bullhorn', path: NOTES });
  await send();
  await until('it is parked', async () => (await read())?.error ?? null);
  expect(await read()).toMatchObject({ state: 'pending', error: expect.stringMatching(/^Bullhorn/) });
  const hits = limited.hits();
  expect(hits).toBeLessThanOrEqual(3);
  sandbox.control.clearFaults();
  await send();
  await reaches('sent');
  expect(notes()).toHaveLength(1);
});

test('half an emoji in the id of a candidate is accepted during an outage', async () => {
  const { sandbox, send } = await setUpSending();
  sandbox.control.fail({ kind: 'status', status: 503, on: 'bullhorn', path: `${BULLHORN_CALLS}*` });
  expect(await send('iv_1', { candidateId: '1001\ud83d' })).toMatchObject({ state: 'pending' });
});

test('during a long outage the ATS gets few calls, and nothing is lost', async () => {
  const { sandbox, product, funnelId, send, show, reaches, notes } = await setUpSending();
  await insertSendable(product, funnelId, [{ id: 'iv_2' }, { id: 'iv_3' }]);
  await show();
  const down = sandbox.control.fail({ kind: 'status', status: 503, on: 'bullhorn', path: `${BULLHORN_CALLS}*` });
  for (const id of ['iv_1', 'iv_2', 'iv_3']) await send(id);
  await until('all are parked', async () => {
    const rows = await product.db.selectFrom('ats_push').select('checks').execute();
    return rows.every(({ checks }) => checks === 5) || null;
  });
  expect(down.hits()).toBe(15);
  expect(await reaches('unclear')).toMatchObject({ error: expect.stringMatching(/^Bullhorn/) });
  sandbox.control.clearFaults();
  for (const id of ['iv_1', 'iv_2', 'iv_3']) {
    await send(id);
    await reaches('sent', id);
  }
  expect(notes()).toHaveLength(3);
});

test('other browsers show the state without a reload', async () => {
  const { product, recruiter, send, reaches } = await setUpSending();
  const socket = await connect(await listen(product), recruiter);
  const edits = () => socket.messages.filter(({ type }) => type === 'interview-edited').length;
  await send();
  await reaches('sent');
  await until('messages of the request and of the end arrive', () => edits() >= 2 || null);
});

test('a bulk run sends interviews with exactly one candidate, and skips the others with a reason', async () => {
  const { sandbox, product, recruiter, funnelId, notes, reaches } = await setUpSending();
  const twin = (sandbox.control.bullhorn.store.rows('Candidate') ?? []).find(({ id }) => id === 1008);
  const twinEmail = String(twin?.email || twin?.email2 || twin?.email3);
  await insertSendable(product, funnelId, [
    { id: 'two candidates', email: twinEmail },
    { id: 'nobody', email: 'nobody@example.com' },
    { id: 'no destination', destinationId: null },
    { id: 'archived', archived: true },
    { id: 'iv_2' },
  ]);
  const ids = ['iv_1', 'iv_2', 'two candidates', 'nobody', 'no destination', 'archived'];
  const run = async () => {
    const { id } = await recruiter.call(startBulkRun, { body: { action: 'sendToAts', target: { ids } } });
    return until('the run ends', async () => {
      const report = await recruiter.call(getBulkRun, { params: { id } });
      return report.status === 'running' ? null : report;
    });
  };
  expect(await run()).toMatchObject({ status: 'completed', total: 6, done: 2, failed: 0, skipped: 4 });
  expect(notes('iv_1')).toHaveLength(1);
  expect(notes('iv_2')).toHaveLength(1);
  await reaches('sent');
  const { reasons } = await run();
  expect(reasons.map(({ reason, count }) => [reason, count]).toSorted()).toEqual([
    ['Already in Bullhorn.', 2],
    ['Archived.', 1],
    ['Bullhorn has 2 candidates with this e-mail address. Send the interview on its own to choose one.', 1],
    ['Bullhorn has no candidate with this e-mail address.', 1],
    ['Set the destination first.', 1],
  ]);
  await recruiter.call(saveSummary, { params: { id: 'iv_2' }, body: { summaryText: 'Overview\nNew.' } });
  expect(await run()).toMatchObject({ done: 1, skipped: 5 });
  expect(notes('iv_2')).toMatchObject([{ comments: expect.stringContaining('New.') }]);
});

test('bulk runs in two processes that send the same note both end with it, also when it is sent while one decides', async () => {
  const { product, recruiter, notes, read } = await setUpSending({ isAlone: false });
  const { db, database, dataDir, environment: env } = product;
  await startApp({ env: { ...env, ROLES: 'worker' }, database, dataDir, isAlone: false });
  const isSent = async () => (await read())?.state === 'sent';
  const waiting = (count: number) =>
    until(`${count} wait`, async () => (await waitingSessions(db)) >= count || isSent());
  const interview = await db.startTransaction().execute();
  await interview.selectFrom('interview').select('id').forNoKeyUpdate().execute();
  const runs: { id: number }[] = [];
  while (runs.length < 2) {
    const body = { action: 'sendToAts' as const, target: { ids: ['iv_1'] } };
    runs.push(await recruiter.call(startBulkRun, { body }));
    await waiting(runs.length);
  }
  // The second run stops before it stores that it waits for the note.
  const items = await db.startTransaction().execute();
  await items
    .selectFrom('bulk_item')
    .select('run_id')
    .where('run_id', '=', runs[1]?.id ?? 0)
    .forUpdate()
    .execute();
  await interview.commit().execute();
  const reports = () => Promise.all(runs.map(({ id }) => recruiter.call(getBulkRun, { params: { id } })));
  await until('the first run has begun to send', async () => (await reports())[0]?.started !== 0 || isSent());
  await waiting(2);
  await items.commit().execute();
  await until('both have ended', async () => (await reports()).every(({ status }) => status !== 'running'));
  for (const report of await reports()) expect(report).toMatchObject({ status: 'completed', done: 1, started: 0 });
  expect(notes()).toHaveLength(1);
});

test('a different job for the same candidate moves the note', async () => {
  const { recruiter, send, read, reaches, notes } = await setUpSending();
  await send();
  await reaches('sent');
  await recruiter.call(setDestination, { params: { id: 'iv_1' }, body: { destinationId: 'BUB-4711-93' } });
  expect(await read()).toMatchObject({ state: 'sent', isChanged: true });
  await send();
  await reaches('sent');
  expect(notes()).toHaveLength(1);
  expect(notes()).toMatchObject([{ jobOrder: { id: 93 } }]);
});

test('erasing a candidate also removes notes from a deleted funnel', async () => {
  const { sandbox, product, recruiter, funnelId, send, reaches, notes } = await setUpSending();
  await send();
  await reaches('sent');
  const { result: exported } = await candidateCommand(product, ['export', AMARA.email]);
  expect(JSON.parse(exported).interviews[0].sentToAts).toMatchObject([
    { ats: 'Bullhorn', state: 'sent', target: { candidateId: AMARA.candidateId } },
  ]);
  await recruiter.call(deleteFunnel, { params: { id: funnelId } });
  expect(notes()).toHaveLength(1);
  const { shown, result } = await candidateCommand(product, ['erase', AMARA.email, '--yes']);
  expect(shown).toContain('1 note in the applicant tracking system');
  expect(result).toContain('Nothing is left to do.');
  expect(notes()).toEqual([]);
  const left = JSON.stringify(sandbox.control.bullhorn.store.rows('Note'));
  expect(left).not.toContain('Calm');
  expect(left).not.toContain('iv_1');
});

test('an erasure lists notes that cannot be removed', async () => {
  const { sandbox, product, send, reaches } = await setUpSending();
  await send();
  await reaches('sent');
  sandbox.control.fail({ kind: 'status', status: 403, on: 'bullhorn', path: NOTES });
  const { result } = await candidateCommand(product, ['erase', AMARA.email, '--yes']);
  expect(result).toMatch(/Delete this note in Bullhorn yourself: http:\S+\n {2}Bullhorn/);
});

test('an erasure finds and removes a note whose creation it interrupted', async () => {
  const { sandbox, product, send, reaches, notes } = await setUpSending();
  sandbox.control.fail({ kind: 'ats-response-lost', path: NOTES, times: 1 });
  sandbox.control.fail({ kind: 'ats-index-lags', ms: 600_000 });
  await send();
  await reaches('unclear');
  expect(notes()).toHaveLength(1);
  sandbox.control.clearFaults();
  await candidateCommand(product, ['erase', AMARA.email, '--yes']);
  await until('it is removed', () => notes().length === 0 || null);
  await until(
    'nothing is left',
    async () => (await product.db.selectFrom('ats_removal').select('id').execute()).length === 0 || null,
  );
});

test('without an ATS, nothing can be sent and earlier pushes are hidden', async () => {
  const { product, send, reaches } = await setUpSending();
  await send();
  await reaches('sent');
  await product.stop();
  const env = { ...product.environment, BULLHORN_USERNAME: '', BULLHORN_CLIENT_ID: '', BULLHORN_CLIENT_SECRET: '' };
  const next = await startApp({ env, database: product.database, dataDir: product.dataDir });
  const recruiter = await next.signedIn();
  expect((await recruiter.call(getInterview, { params: { id: 'iv_1' } })).push).toBeNull();
  const call = recruiter.call(sendToAts, { params: { id: 'iv_1' }, body: { candidateId: AMARA.candidateId } });
  await expect(call).rejects.toMatchObject({ status: 409, body: { code: 'not_configured' } });
});
