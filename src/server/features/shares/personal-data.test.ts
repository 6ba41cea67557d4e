import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { listLogs } from '#contracts/logs.ts';
import { listShares } from '#contracts/shares.ts';
import { createEvents, type Reactors } from '#server/compose-events.ts';
import { Notices } from '#server/features/notices/notices.service.ts';
import { Shares } from '#server/features/shares/shares.service.ts';
import { type Person, refusal } from '#support/call.ts';
import { candidateCommand, tablesWith } from '#support/candidate.ts';
import { signedInAs } from '#support/people.ts';
import { inDays, insertCandidates, openedGuest, shareOne } from '#support/sharing.ts';
import { startSharedApp, type TestApp } from '#support/start-app.ts';

const DANA = 'dana.moore@example.com';

let product: TestApp;
let recruiter: Person;
let funnelId: number;

beforeAll(async () => {
  const shared = await startSharedApp();
  product = shared.product;
  recruiter = await product.signedIn();
  return shared.clear;
});

beforeEach(async () => {
  await product.db.deleteFrom('funnel').execute();
  await product.db.deleteFrom('share_batch').execute();
  funnelId = await product.build.funnel(recruiter, { source: 'upload', funnelId: 'nurses' });
  await insertCandidates(product, funnelId);
});

const open = (link: { link: string }) => openedGuest(product.app, link);
/** Performs what timers do. */
function shares(): Shares {
  const events = createEvents();
  const mail = { isConfigured: false, send: async () => {} };
  const notices = new Notices({ db: product.db, events, mail, origin: null });
  events.connect({ notices } as unknown as Reactors);
  return new Shares({ db: product.db, events, mail, links: { clear: () => {} }, retentionDays: 30 });
}

test('an erasure revokes links with only this candidate, lists who watched, and leaves nothing in shares', async () => {
  const alone = await open(
    await shareOne(recruiter, { interviewIds: ['dana'], title: 'Dana Moore', message: 'Dana!' }),
  );
  const both = await open(await shareOne(recruiter, { title: 'Dana Moore and another' }));
  await alone.watch(1, [[0, 5]]);
  await alone.decide(1, 'yes', 'Dana is great');
  await both.comment(1, 3, 'Dana Moore again');
  const { result } = await candidateCommand(product, ['erase', DANA, '--yes']);
  expect(result).toContain('Ann Lee <ann@client.example>, candidate 1 of "Dana Moore", shared by admin on');
  expect(result).toContain('820 ILCS 42/15');
  expect(result).not.toContain('Dana Moore and another"');
  expect((await alone.request({ url: '/items' })).statusCode).toBe(404);
  expect(await both.page()).toMatchObject({ title: '[erased] and another', items: [{ n: 2, name: 'Omar Haddad' }] });
  expect((await recruiter.call(listShares, { query: { state: 'revoked' } })).map(({ title }) => title)).toEqual([
    '[erased]',
  ]);
  expect(await tablesWith(product, ['Dana Moore', DANA])).toEqual([]);
});

test('an export lists the recipients of a candidate and their actions', async () => {
  const guest = await open(await shareOne(recruiter));
  await guest.watch(1, [
    [0, 5],
    [3, 8],
  ]);
  await guest.decide(1, 'maybe', 'Second interview');
  await guest.comment(1, 3, 'Good example');
  await guest.comment(2, 3, 'About another candidate');
  const file = join(product.dataDir, 'export.json');
  await candidateCommand(product, ['export', DANA, file]);
  const exported = JSON.parse(await readFile(file, 'utf8'));
  expect(exported.sharedWith).toMatchObject([
    {
      ...{
        interviewId: 'dana',
        title: 'Two nurses',
        recipient: 'Ann Lee',
        email: 'ann@client.example',
        sender: 'admin',
      },
      ...{ watchedSeconds: 8, verdict: 'maybe', verdictNote: 'Second interview' },
      comments: [{ atSeconds: 3, body: 'Good example' }],
    },
  ]);
});

test('an export contains the notices about a candidate', async () => {
  const sender = await signedInAs(product, { role: 'recruiter' });
  const guest = await open(await shareOne(sender));
  await guest.decide(1, 'yes');
  await guest.decide(2, 'no');
  const file = join(product.dataDir, 'notices.json');
  await candidateCommand(product, ['export', DANA, file]);
  const { notices } = JSON.parse(await readFile(file, 'utf8'));
  expect(notices).toEqual([
    { interviewId: 'dana', kind: 'verdict', actor: 'Ann Lee', createdAt: expect.any(String), readAt: null },
  ]);
});

test('an unopened link that expires within two days is logged once', async () => {
  await shareOne(recruiter, { expiresAt: inDays(1.9) });
  await shareOne(recruiter, { expiresAt: inDays(3) });
  await open(await shareOne(recruiter, { expiresAt: inDays(1) }));
  await shares().noteExpiring();
  await shares().noteExpiring();
  const { logs } = await recruiter.call(listLogs, { query: { limit: 20 } });
  expect(logs.filter(({ action }) => action === 'expire-link').map(({ summary }) => summary)).toEqual([
    'The link of Ann Lee expires soon and was never opened: Two nurses',
  ]);
});

test('an expired link is kept as long as log entries', async () => {
  const old = await shareOne(recruiter);
  const recent = await shareOne(recruiter);
  const expired = (days: number) => ({ expires_at: new Date(inDays(-days)) });
  await product.db.updateTable('share').set(expired(31)).where('id', '=', old.id).execute();
  await product.db.updateTable('share').set(expired(29)).where('id', '=', recent.id).execute();
  await shares().deleteExpired();
  expect((await recruiter.call(listShares, { query: {} })).map(({ id }) => id)).toEqual([recent.id]);
  expect(await product.db.selectFrom('share_batch').select('id').execute()).toHaveLength(1);
});

test('without a mail server, links cannot be sent', async () => {
  expect((await refusal(shareOne(recruiter, { send: true }))).body).toMatchObject({
    ...{ code: 'not_configured', message: "Mail isn't set up. Copy the links instead." },
  });
});
