import { beforeAll, describe, expect, test } from 'vitest';
import { listAccounts, updateAccount } from '#contracts/accounts.ts';
import { startBulkRun } from '#contracts/bulk.ts';
import type { CallInput } from '#contracts/endpoint.ts';
import { deleteFunnel, updateFunnel } from '#contracts/funnels.ts';
import { archiveInterview, setDestination, unarchiveInterview } from '#contracts/interviews.ts';
import { getLog, type LogEntry, listLogs } from '#contracts/logs.ts';
import { logout } from '#contracts/session.ts';
import { type Person, refusal } from '#support/call.ts';
import { insertInterviews } from '#support/insert-interviews.ts';
import { connect, listen } from '#support/live-socket.ts';
import { signedInAs } from '#support/people.ts';
import { startSharedApp, type TestApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';

let product: TestApp;
let admin: Person;
/** Recruiters: two who see one funnel each, and one who sees all. */
let people: Record<'ada' | 'ben' | 'all', Person>;
let funnels: Record<'ada' | 'ben', number>;

beforeAll(async () => {
  const shared = await startSharedApp();
  product = shared.product;
  admin = await product.signedIn();
  const funnel = (name: string) => product.build.funnel(admin, { name, funnelId: name });
  funnels = { ada: await funnel('ada'), ben: await funnel('ben') };
  people = {
    ada: await signedInAs(product, { role: 'recruiter', funnelIds: [funnels.ada], username: 'ada' }),
    ben: await signedInAs(product, { role: 'recruiter', funnelIds: [funnels.ben], username: 'ben' }),
    all: await signedInAs(product, { role: 'recruiter', username: 'all' }),
  };
  await insertInterviews(product.db, [
    { id: 'iv-ada', funnelId: funnels.ada, title: 'Of Ada' },
    { id: 'iv-ben', funnelId: funnels.ben, title: 'Of Ben' },
  ]);
  await record();
  return shared.clear;
});

/** Changes both funnels, their interviews and an account, and signs people in and out. */
async function record(): Promise<void> {
  for (const [person, id] of [
    [people.ada, 'iv-ada'] as const,
    [people.ben, 'iv-ben'] as const,
    [admin, 'iv-ben'] as const,
  ]) {
    await person.call(setDestination, { params: { id }, body: { destinationId: 'BUB-A-1' } });
    await person.call(archiveInterview, { params: { id } });
    await person.call(unarchiveInterview, { params: { id } });
  }
  for (const [name, id] of Object.entries(funnels))
    await admin.call(updateFunnel, { params: { id }, body: { name, apiKey: 'other key', funnelId: name } });
  const guest = await signedInAs(product, { role: 'recruiter', username: 'guest' });
  await guest.call(logout, {});
  await (await product.signedIn()).call(logout, {});
  const [account] = (await admin.call(listAccounts, {})).filter(({ username }) => username === 'guest');
  await admin.call(updateAccount, { params: { id: account?.id ?? 0 }, body: { role: 'reviewer' } });
  await bulk(people.ben, ['iv-ben']);
  await bulk(admin, ['iv-ada', 'iv-ben']);
}

async function bulk(person: Person, ids: string[]): Promise<void> {
  const { id } = await person.call(startBulkRun, { body: { action: 'archive', target: { ids } } });
  await until('the bulk run ends', async () => {
    const run = await product.db.selectFrom('bulk_run').select('status').where('id', '=', id).executeTakeFirst();
    return run?.status === 'completed';
  });
  await product.db.updateTable('interview').set({ archived_at: null }).execute();
}

const list = (person: Person, query: Partial<CallInput<typeof listLogs>['query']> = {}) =>
  person.call(listLogs, { query: { limit: '100', ...query } });
/** `action summary by actor`, oldest first. */
const textsOf = (logs: readonly LogEntry[]) =>
  logs.map(({ action, summary, actor }) => `${action} ${summary} by ${actor?.name}`).reverse();

describe('System Logs', () => {
  test('a recruiter reads entries of visible funnels and their own', async () => {
    const { logs, total } = await list(people.ada);
    expect(textsOf(logs)).toEqual([
      'create-funnel Funnel "ada" was created. by admin',
      'set-destination The destination of interview "Of Ada" was set to BUB-A-1. by ada',
      'archive-interview Interview "Of Ada" was archived. by ada',
      'unarchive-interview Interview "Of Ada" was unarchived. by ada',
      'update-funnel Funnel "ada" was changed. by admin',
    ]);
    expect(total).toBe(logs.length);
    const own = await list(people.ben);
    expect(JSON.stringify(own)).not.toMatch(/iv-ada|Of Ada|"ada"|sign-in|sign-out|guest/);
    expect(textsOf(own.logs)).toContain('bulk-run Archived 1 interview. by ben');
  });

  test('a recruiter who sees all funnels reads no sign-ins, accounts or bulk runs of others', async () => {
    const { logs, total } = await list(people.all);
    const all = await list(admin);
    const ofFunnels = all.logs.filter(
      ({ action, summary }) => action.endsWith('funnel') || /Of (Ada|Ben)|1 inter/.test(summary),
    );
    expect(textsOf(logs)).toEqual(textsOf(ofFunnels));
    expect([total, all.total]).toEqual([ofFunnels.length, all.logs.length]);
    expect(all.logs.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['sign-in', 'sign-out', 'update-account']),
    );
  });

  test('totals and pages are exact within the limit, for every filter', async () => {
    const { logs } = await list(people.ben);
    for (const query of [{}, { type: 'system' as const }, { type: 'refresh' as const }, { views: 'true' as const }]) {
      const expected = logs.filter(({ type }) => query.type === undefined || type === query.type);
      const pages = [];
      for (let page = 1; page <= Math.ceil(expected.length / 2); page += 1) {
        const { logs: found, total } = await list(people.ben, { ...query, page: String(page), limit: '2' });
        expect(total).toBe(expected.length);
        pages.push(...found);
      }
      expect(pages.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    }
    const [newest, second] = logs;
    const range = { startDate: second?.createdAt ?? '', endDate: newest?.createdAt ?? '' };
    expect((await list(people.ben, range)).total).toBe(2);
  });

  test('a hidden entry returns 404 like a missing one', async () => {
    const hidden = (await list(people.ben)).logs[0]?.id ?? 0;
    expect((await people.ben.call(getLog, { params: { id: hidden } })).id).toBe(hidden);
    const [one, other] = [
      await refusal(people.ada.call(getLog, { params: { id: hidden } })),
      await refusal(people.ada.call(getLog, { params: { id: 4_711_000 } })),
    ];
    expect([one.status, one.body.message]).toEqual([404, other.body.message]);
  });

  test('a reviewer reads no log entry', async () => {
    const reviewer = await signedInAs(product, { role: 'reviewer' });
    expect((await refusal(list(reviewer))).body).toMatchObject({ code: 'forbidden' });
  });

  test('an account without funnels reads only its own entries', async () => {
    const nobody = await signedInAs(product, { role: 'recruiter', funnelIds: [] });
    expect(await list(nobody)).toEqual({ logs: [], total: 0 });
    await nobody.call(logout, {});
    const user = await product.db.selectFrom('log_entry').selectAll().orderBy('id', 'desc').limit(1).execute();
    const again = await signedInAs(product, { role: 'recruiter', funnelIds: [] });
    const entry = { actor_account_id: again.cookie ? await idOf(again) : null, actor_kind: 'account' };
    await product.db
      .updateTable('log_entry')
      .set(entry)
      .where('id', '=', user[0]?.id ?? 0)
      .execute();
    expect((await list(again)).logs).toMatchObject([{ action: 'sign-out' }]);
  });

  test('a socket receives the entries that its account may read', async () => {
    const origin = await listen(product);
    const sockets = await Promise.all([people.ada, people.ben, people.all].map((person) => connect(origin, person)));
    const texts = () =>
      sockets.map(({ messages }) => JSON.stringify(messages.filter(({ type }) => type === 'system-log')));
    for (const { socket } of sockets) socket.send(JSON.stringify({ type: 'subscribe', channel: 'system-logs' }));
    await until('all subscriptions work', async () => {
      await (await product.signedIn()).call(logout, {});
      await admin.call(archiveInterview, { params: { id: 'iv-ben' } });
      await admin.call(archiveInterview, { params: { id: 'iv-ada' } });
      await product.db.updateTable('interview').set({ archived_at: null }).execute();
      const [ada = '', ben = '', all = ''] = texts();
      return ada.includes('iv-ada') && ben.includes('iv-ben') && all.includes('iv-ada') && all.includes('iv-ben');
    });
    const [ada, ben, all] = texts();
    expect(ada).not.toContain('iv-ben');
    expect(ben).not.toContain('iv-ada');
    for (const text of [ada, ben, all]) expect(text).not.toContain('sign-');
  });

  test('entries of a deleted funnel stay for administrators', async () => {
    const before = (await list(admin)).total;
    await admin.call(deleteFunnel, { params: { id: funnels.ben } });
    expect((await list(admin)).total).toBe(before + 1);
    const colleague = await signedInAs(product, { role: 'recruiter', funnelIds: [funnels.ada] });
    expect(JSON.stringify(await list(colleague))).not.toMatch(/iv-ben|"ben"/);
  });
});

const idOf = async (person: Person): Promise<number> =>
  (await person.request({ method: 'GET', url: '/api/user' })).json().id;
