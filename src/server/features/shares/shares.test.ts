import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deleteAccount } from '#contracts/accounts.ts';
import type { CallInput } from '#contracts/endpoint.ts';
import { archiveInterview } from '#contracts/interviews.ts';
import { listLogs } from '#contracts/logs.ts';
import { SHARE_LIMITS } from '#contracts/rules/limits.ts';
import {
  getShareDefaults,
  listShares,
  previewShare,
  renewShareLink,
  type Share,
  updateShare,
} from '#contracts/shares.ts';
import { type Person, refusal } from '#support/call.ts';
import { signedInAs } from '#support/people.ts';
import {
  CANDIDATES,
  Guest,
  inDays,
  insertCandidates,
  openedGuest,
  previewForm,
  share,
  shareOne,
} from '#support/sharing.ts';
import { startSharedApp, type TestApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';
import { waitingSessions } from '#support/waiting-sessions.ts';

let product: TestApp;
let admin: Person;
let recruiter: Person;
let funnelId: number;

beforeAll(async () => {
  const shared = await startSharedApp();
  product = shared.product;
  admin = await product.signedIn();
  funnelId = await product.build.funnel(admin, { source: 'upload', funnelId: 'nurses', clientName: 'Mercy' });
  recruiter = await signedInAs(product, { role: 'recruiter', funnelIds: [funnelId], username: 'rita' });
  return shared.clear;
});

beforeEach(async () => {
  await product.db.deleteFrom('interview').execute();
  await product.db.deleteFrom('share_batch').execute();
  await insertCandidates(product, funnelId);
});

const open = (link: { link: string }, passcode?: string) => openedGuest(product.app, link, passcode);
const list = (person: Person, query: { interviewId?: string; state?: Share['state'] } = {}) =>
  person.call(listShares, { query });
const only = async (person: Person): Promise<Share> => {
  const [one, ...others] = await list(person);
  if (!one || others.length > 0) throw new Error('There is not exactly one link');
  return one;
};
const summaries = async () => (await admin.call(listLogs, { query: { limit: 50 } })).logs.map(({ summary }) => summary);

describe('sharing', () => {
  test('every recipient gets a personal link that opens the candidates in the given order', async () => {
    const links = await share(recruiter, {
      recipients: [{ name: 'Ann Lee', email: 'ann@client.example' }, { name: 'Bo Park' }],
      interviewIds: ['omar', 'dana'],
    });
    expect(links).toMatchObject([
      { recipient: { name: 'Ann Lee', email: 'ann@client.example' } },
      { recipient: { name: 'Bo Park', email: null } },
    ]);
    expect(links[0]?.link).toMatch(/^http:\/\/[^/]+\/s\/[\w-]{22}$/);
    const page = await (await open(links[1] ?? { link: '' })).page();
    expect(page).toMatchObject({ title: 'Two nurses', message: 'Have a look.', recipient: 'Bo Park', sender: 'rita' });
    expect(page.items.map(({ n, name }) => [n, name])).toEqual([
      [1, 'Omar Haddad'],
      [2, 'Dana Moore'],
    ]);
  });

  test('the page contains only the texts that the link shows', async () => {
    const all = await (await open(await shareOne(recruiter))).page();
    expect(all.items[0]).toMatchObject({
      title: 'Dana Moore for Nurses',
      contact: null,
      durationSeconds: 100,
      transcript: expect.stringContaining('I am Dana Moore.'),
      segments: [{ startSeconds: 0, endSeconds: 4, text: 'Hello, I am Dana Moore.' }],
      summary: 'Overview\nMoore has led a team.',
      questions: [{ position: 0, question: 'Dana Moore, why Nurses?', startSeconds: 3 }],
      verdict: null,
      comments: [],
    });
    const shows = { name: 'full', contact: true, transcript: false, summary: false, questions: false } as const;
    const none = await (await open(await shareOne(recruiter, { shows }))).page();
    expect(none.items[0]).toMatchObject({
      contact: { email: 'dana.moore@example.com', phone: '+1 555 0100' },
      transcript: null,
      segments: [],
      summary: null,
      questions: null,
    });
  });

  test('an interview that the sender does not see cannot be shared', async () => {
    const other = await product.build.funnel(admin, { source: 'upload', funnelId: 'other', name: 'Other' });
    await product.db.updateTable('interview').set({ funnel_id: other }).where('id', '=', 'omar').execute();
    expect((await refusal(share(recruiter))).body).toMatchObject({ message: 'This interview no longer exists.' });
    expect(await share(admin)).toHaveLength(1);
  });

  test('reviewers cannot share', async () => {
    const reviewer = await signedInAs(product, { role: 'reviewer' });
    expect((await refusal(share(reviewer))).status).toBe(403);
    expect((await refusal(list(reviewer))).status).toBe(403);
  });

  test('archived interviews stay, and a deleted one leaves a gap in the numbers', async () => {
    const guest = await open(await shareOne(recruiter));
    await recruiter.call(archiveInterview, { params: { id: 'omar' } });
    expect((await guest.page()).items).toHaveLength(2);
    await product.db.deleteFrom('interview').where('id', '=', 'dana').execute();
    expect((await guest.page()).items).toMatchObject([{ n: 2, name: 'Omar Haddad' }]);
  });

  test('a share is logged with its recipients and interviews', async () => {
    await share(recruiter);
    const { logs } = await admin.call(listLogs, { query: { limit: 1 } });
    expect(logs[0]).toMatchObject({
      action: 'share-interviews',
      summary: '2 interviews shared with Ann Lee: Two nurses',
      details: { interviews: [{ interviewId: 'dana' }, { interviewId: 'omar' }] },
      actor: { name: 'rita' },
    });
  });
});

describe('preparing a share', () => {
  test('the preview is the page that the recipient will see, and creates nothing', async () => {
    const shows = { name: 'first', contact: false, transcript: true, summary: true, questions: true } as const;
    const expiresAt = inDays(7);
    const preview = await recruiter.call(previewShare, { body: previewForm({ shows, expiresAt }) });
    expect(await list(recruiter)).toEqual([]);
    expect(await (await open(await shareOne(recruiter, { shows, expiresAt }))).page()).toEqual(preview);
  });

  test("the last choices for a client become the account's next default", async () => {
    const query = { interviewId: 'dana' };
    expect(await recruiter.call(getShareDefaults, { query })).toBeNull();
    const shows = { name: 'hidden', contact: false, transcript: false, summary: true, questions: false } as const;
    await share(recruiter, { shows, expiresAt: inDays(30), mayComment: false });
    expect(await recruiter.call(getShareDefaults, { query })).toMatchObject({
      ...{ shows, days: 30, mayComment: false, mayDecide: true, message: 'Have a look.' },
      recipients: [{ name: 'Ann Lee', email: 'ann@client.example' }],
    });
    expect(await admin.call(getShareDefaults, { query })).toBeNull();
  });
});

describe('what recipients do', () => {
  test('watched ranges count once, and the part is exact', async () => {
    const guest = await open(await shareOne(recruiter));
    expect(
      (
        await guest.watch(1, [
          [0, 40],
          [60, 90],
        ])
      ).statusCode,
    ).toBe(204);
    await guest.watch(1, [
      [30, 50],
      [88, 92],
      [0, 10],
    ]);
    expect((await only(recruiter)).interviews.map(({ watched }) => watched)).toEqual([0.82, 0]);
    await guest.watch(1, [[0, 604_800]]);
    expect((await only(recruiter)).interviews[0]?.watched).toBe(1);
  });

  test('a verdict has a note and can change, and the link is decided once all candidates are', async () => {
    const guest = await open(await shareOne(recruiter));
    expect((await only(recruiter)).state).toBe('opened');
    expect((await guest.decide(1, 'maybe')).statusCode).toBe(204);
    await guest.decide(1, 'yes', 'Clear answers.');
    expect(await only(recruiter)).toMatchObject({
      state: 'opened',
      interviews: [{ interviewId: 'dana', verdict: 'yes', verdictNote: 'Clear answers.' }, { verdict: null }],
    });
    await guest.decide(2, 'no');
    expect((await only(recruiter)).state).toBe('decided');
    expect((await guest.page()).items).toMatchObject([
      { verdict: 'yes', verdictNote: 'Clear answers.' },
      { verdict: 'no' },
    ]);
  });

  test('comments are ordered by moment and hidden from other recipients', async () => {
    const [first, second] = await share(recruiter, { recipients: [{ name: 'Ann Lee' }, { name: 'Bo Park' }] });
    const guest = await open(first ?? { link: '' });
    expect((await guest.comment(1, 20, 'Later')).statusCode).toBe(201);
    await guest.comment(1, 10, 'Earlier');
    await guest.decide(1, 'yes');
    expect((await guest.page()).items[0]?.comments).toMatchObject([{ body: 'Earlier' }, { body: 'Later' }]);
    expect((await (await open(second ?? { link: '' })).page()).items[0]).toMatchObject({ comments: [], verdict: null });
    const shown = (await list(recruiter)).find(({ recipient }) => recipient.name === 'Ann Lee');
    expect(shown?.interviews[0]?.comments).toMatchObject([{ atSeconds: 10, body: 'Earlier' }, { body: 'Later' }]);
  });

  test('comments at the same moment do not exceed the limit of a link', async () => {
    const link = await shareOne(recruiter);
    const guest = await open(link);
    const comments = Array.from({ length: SHARE_LIMITS.comments - 1 }, () => ({
      ...{ share_id: link.id, n: 1, at_seconds: 0, body: 'Hello' },
    }));
    await product.db.insertInto('share_comment').values(comments).execute();
    const lock = await product.db.startTransaction().execute();
    await lock.selectFrom('share_item').select('n').where('share_id', '=', link.id).forUpdate().execute();
    const sending = Promise.all([1, 2, 1].map((n) => guest.comment(n, 1, 'Together')));
    await until('all wait', async () => (await waitingSessions(product.db)) === 3);
    await lock.commit().execute();
    const sent = await sending;
    expect(sent.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409]);
  });

  test('a request without a body opens a link without a passcode', async () => {
    const guest = new Guest(product.app, await shareOne(recruiter));
    expect((await guest.request({ method: 'POST', url: '/open' })).statusCode).toBe(204);
    expect((await guest.page()).items).toHaveLength(2);
  });

  test('a link that allows neither comments nor verdicts rejects them', async () => {
    const guest = await open(await shareOne(recruiter, { mayComment: false, mayDecide: false }));
    expect((await guest.comment(1, 0, 'Hello')).statusCode).toBe(403);
    expect((await guest.decide(1, 'yes')).statusCode).toBe(403);
  });

  test('an opening, the first watching and a verdict are logged with the interview', async () => {
    const guest = await open(await shareOne(recruiter));
    await guest.watch(1, [[0, 5]]);
    await guest.watch(1, [[5, 10]]);
    await guest.decide(1, 'yes');
    await guest.open();
    expect((await summaries()).slice(0, 4)).toEqual([
      'Ann Lee opened their link: Two nurses',
      'Ann Lee is interested in "Dana Moore for Nurses".',
      'Ann Lee began to watch "Dana Moore for Nurses".',
      'Ann Lee opened their link for the first time: Two nurses',
    ]);
  });

  test('a recording is sent in ranges, with captions and a thumbnail', async () => {
    const guest = await open(await shareOne(recruiter));
    const part = await guest.request({ url: '/video/1', headers: { range: 'bytes=0-9' } });
    expect([part.statusCode, part.rawPayload.length, part.headers['content-type']]).toEqual([206, 10, 'video/mp4']);
    const head = await guest.request({ method: 'HEAD', url: '/video/1' });
    expect([head.statusCode, head.headers['accept-ranges']]).toEqual([200, 'bytes']);
    expect((await guest.request({ url: '/thumbnail/2' })).body).toBe('a picture of omar');
    expect((await guest.request({ url: '/captions/1' })).body).toContain('Hello, I am Dana Moore.');
    for (const url of ['/video/3', '/thumbnail/3', '/captions/3'])
      expect((await guest.request({ url })).statusCode).toBe(404);
  });
});

describe('managing links', () => {
  test('a revoked link immediately responds like an unknown one', async () => {
    const link = await shareOne(recruiter);
    const guest = await open(link);
    const changed = await recruiter.call(updateShare, { params: { id: link.id }, body: { revoked: true } });
    expect(changed).toMatchObject({ state: 'revoked', revokedAt: expect.any(String) });
    expect((await guest.request({ url: '/video/1', headers: { range: 'bytes=0-9' } })).statusCode).toBe(404);
    expect((await guest.open()).statusCode).toBe(404);
    await recruiter.call(updateShare, { params: { id: link.id }, body: { revoked: false } });
    expect((await guest.request({ url: '/items' })).statusCode).toBe(200);
    expect((await summaries()).slice(0, 2)).toEqual([
      'The link of Ann Lee works again: Two nurses',
      'The link of Ann Lee was revoked: Two nurses',
    ]);
  });

  test('an expired link works again after an extension', async () => {
    const link = await shareOne(recruiter);
    const guest = await open(link);
    await product.db
      .updateTable('share')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .execute();
    expect([(await guest.request({ url: '/items' })).statusCode, (await only(recruiter)).state]).toEqual([
      404,
      'expired',
    ]);
    const expiresAt = inDays(30);
    expect(await recruiter.call(updateShare, { params: { id: link.id }, body: { expiresAt } })).toMatchObject({
      ...{ state: 'opened', expiresAt },
    });
    expect((await guest.request({ url: '/items' })).statusCode).toBe(200);
  });

  test('the expiry of a link is extended up to 180 days from now, and never moves to an earlier date', async () => {
    const { id } = await shareOne(recruiter, { expiresAt: inDays(179.5) });
    const before = (await only(recruiter)).expiresAt;
    const extend = (expiresAt: string) => recruiter.call(updateShare, { params: { id }, body: { expiresAt } });
    const shortened = await refusal(extend(inDays(179)));
    expect(shortened.message).toBe('400 A link can only be extended. Revoke it to end it earlier.');
    expect(shortened.body.field).toBe('expiresAt');
    expect((await only(recruiter)).expiresAt).toBe(before);
    expect((await extend(before)).expiresAt).toBe(before);
    const later = inDays(179.9);
    expect((await extend(later)).expiresAt).toBe(later);
  });

  test('a link that does not work gets no new link, and the message has the remedy', async () => {
    const { id } = await shareOne(recruiter);
    const change = (body: CallInput<typeof updateShare>['body']) =>
      recruiter.call(updateShare, { params: { id }, body });
    const renew = () => recruiter.call(renewShareLink, { params: { id } });
    await change({ revoked: true });
    expect((await refusal(renew())).message).toBe('409 This link is revoked. Restore it before you create a new one.');
    await change({ revoked: false, closed: true });
    expect((await refusal(renew())).message).toBe('409 This link is closed. Reopen it before you create a new one.');
    await change({ closed: false });
    await product.db
      .updateTable('share')
      .set({ expires_at: new Date(0) })
      .execute();
    expect((await refusal(renew())).message).toBe('409 This link has expired. Extend it before you create a new one.');
    await change({ expiresAt: inDays(1) });
    expect((await open(await renew())).cookie).toBeDefined();
  });

  test('a new link replaces the earlier one, even where it is open', async () => {
    const link = await shareOne(recruiter);
    const guest = await open(link);
    const renewed = await recruiter.call(renewShareLink, { params: { id: link.id } });
    expect((await guest.request({ url: '/items' })).statusCode).toBe(404);
    const again = new Guest(product.app, renewed);
    again.cookie = guest.cookie;
    expect((await again.request({ url: '/items' })).statusCode).toBe(401);
    expect((await open(renewed)).cookie).not.toBe(guest.cookie);
  });

  test('a passcode is needed to open, and ten wrong ones close the link until it is reopened', async () => {
    const link = await shareOne(recruiter, { passcode: '4711' });
    const guest = new Guest(product.app, link);
    for (const passcode of [undefined, '', '0000']) expect((await guest.open(passcode)).statusCode).toBe(401);
    expect((await open(link, '4711')).cookie).toBeDefined();
    await Promise.all(Array.from({ length: 12 }, (_, at) => guest.open(String(at))));
    expect((await guest.open('4711')).statusCode).toBe(401);
    expect((await only(recruiter)).state).toBe('closed');
    expect((await summaries())[0]).toBe('The link of Ann Lee was closed after too many wrong passcodes: Two nurses');
    await recruiter.call(updateShare, { params: { id: link.id }, body: { closed: false } });
    expect((await guest.open('4711')).statusCode).toBe(204);
  });

  test('the next attempt closes a link whose process ended after the tenth wrong passcode', async () => {
    const link = await shareOne(recruiter, { passcode: '4711' });
    const guest = await open(link, '4711');
    await product.db.updateTable('share').set({ passcode_tries: 10 }).where('id', '=', link.id).execute();
    expect((await new Guest(product.app, link).open('4711')).statusCode).toBe(401);
    expect((await only(recruiter)).state).toBe('closed');
    expect((await guest.request({ url: '/items' })).statusCode).toBe(401);
    expect((await summaries())[0]).toBe('The link of Ann Lee was closed after too many wrong passcodes: Two nurses');
    await recruiter.call(updateShare, { params: { id: link.id }, body: { closed: false } });
    expect((await guest.open('4711')).statusCode).toBe(204);
  });

  test('a closed link returns 401 on every URL, even with the cookie', async () => {
    const link = await shareOne(recruiter);
    const guest = await open(link);
    await recruiter.call(updateShare, { params: { id: link.id }, body: { closed: true } });
    const statuses = await Promise.all([
      guest.request({ url: '/items' }),
      guest.request({ url: '/video/1' }),
      guest.open(),
    ]);
    expect(statuses.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401]);
  });

  test('links awaiting a response come first, and are found by interview and state', async () => {
    const both = await shareOne(recruiter, { expiresAt: inDays(20) });
    const soon = await shareOne(recruiter, { interviewIds: ['omar'], expiresAt: inDays(10) });
    const done = await shareOne(recruiter, { interviewIds: ['omar'], expiresAt: inDays(1) });
    await (await open(done)).decide(1, 'no');
    const shown = await shareOne(recruiter, { interviewIds: ['omar'], expiresAt: inDays(1), mayDecide: false });
    await open(shown);
    const ids = (shares: Share[]) => shares.map(({ id }) => id);
    expect(ids(await list(recruiter))).toEqual([soon.id, both.id, shown.id, done.id]);
    expect(ids(await list(recruiter, { interviewId: 'dana' }))).toEqual([both.id]);
    expect(ids(await list(recruiter, { state: 'decided' }))).toEqual([done.id]);
  });

  test('a link with an interview of a hidden funnel is neither listed nor changed', async () => {
    const link = await shareOne(admin);
    const other = await product.build.funnel(admin, { source: 'upload', funnelId: 'another', name: 'Another' });
    await product.db.updateTable('interview').set({ funnel_id: other }).where('id', '=', 'omar').execute();
    expect(await list(recruiter)).toEqual([]);
    const params = { id: link.id };
    expect((await refusal(recruiter.call(renewShareLink, { params }))).status).toBe(404);
    expect((await refusal(recruiter.call(updateShare, { params, body: { revoked: true } }))).status).toBe(404);
  });

  test('a link survives the account of its sender', async () => {
    const sender = await signedInAs(product, { role: 'recruiter', username: 'leaver' });
    const guest = await open(await shareOne(sender));
    const { id } = await product.db
      .selectFrom('account')
      .select('id')
      .where('username', '=', 'leaver')
      .executeTakeFirstOrThrow();
    await admin.call(deleteAccount, { params: { id } });
    expect((await guest.page()).sender).toBe('leaver');
    expect((await only(recruiter)).createdBy).toBe('leaver');
  });
});

test('names are hidden in every text, and the sender sees who is who', async () => {
  const shows = { name: 'hidden', contact: true, transcript: true, summary: true, questions: true } as const;
  const link = await shareOne(recruiter, { title: 'Dana Moore and others', message: 'Omar is a nurse.', shows });
  const guest = await open(link);
  const page = await guest.page();
  expect(page).toMatchObject({ title: 'Candidate 1 and others', message: 'Candidate 2 is a nurse.' });
  expect(page.items[0]).toMatchObject({ name: 'Candidate 1', title: 'Candidate 1 for Nurses', contact: null });
  expect(JSON.stringify(page)).not.toMatch(/dana|moore|omar|haddad/i);
  expect((await only(recruiter)).interviews.map(({ candidateName }) => candidateName)).toEqual(
    CANDIDATES.map(({ name }) => name),
  );
});
