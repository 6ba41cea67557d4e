import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { deleteFunnel } from '#contracts/funnels.ts';
import { renewShareLink, updateShare } from '#contracts/shares.ts';
import type { Person } from '#support/call.ts';
import { candidateCommand } from '#support/candidate.ts';
import { startDatabaseRelay } from '#support/database-relay.ts';
import { CANDIDATES, Guest, insertCandidates, openedGuest, shareOne } from '#support/sharing.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';

interface Sharing {
  product: TestApp;
  recruiter: Person;
  linkId: number;
  funnelId: number;
}

/**
 * A recipient who watches through the second process, which receives announcements through a relay.
 */
async function watching() {
  const product = await startApp({ isAlone: false });
  const relay = await startDatabaseRelay(product.database.applicationUrl);
  const env = { ...product.environment, DATABASE_DIRECT_URL: relay.url };
  const { database, dataDir } = product;
  const second = await startApp({ env, jobs: false, isAlone: false, database, dataDir });
  const recruiter = await product.signedIn();
  const funnelId = await product.build.funnel(recruiter, { source: 'upload', funnelId: 'nurses' });
  await insertCandidates(product, funnelId);
  const link = await shareOne(recruiter, { interviewIds: ['dana'], passcode: 'correct horse' });
  const guest = await openedGuest(second.app, link, 'correct horse');
  const range = async () => {
    const { statusCode } = await guest.request({ url: '/video/1', headers: { range: 'bytes=100-199' } });
    return statusCode;
  };
  // The first range fills the memory of the process.
  expect([await range(), await range(), await range()]).toEqual([206, 206, 206]);
  const wrong = new Guest(product.app, link);
  return { sharing: { product, recruiter, linkId: link.id, funnelId }, wrong, relay, range };
}

const revoke = ({ recruiter, linkId: id }: Sharing) =>
  recruiter.call(updateShare, { params: { id }, body: { revoked: true } });

test.each(['drop', 'cut', null] as const)(
  'ranges of a link that another process revokes are rejected within 2 s, even when announcements do not arrive (%s)',
  async (fault) => {
    const { sharing, relay, range } = await watching();
    if (fault) relay[fault]();
    await revoke(sharing);
    // A timer of the same process: on a busy machine both are late.
    const late = pause(2_000, 'served');
    const refused = until('the range is rejected', async () => (await range()) === 404).then(() => 'refused');
    expect(await Promise.race([refused, late])).toBe('refused');
  },
);

test('ranges follow every other change of a link in another process', async () => {
  const { sharing, wrong, range } = await watching();
  const { product, recruiter, linkId: id, funnelId } = sharing;
  const update = (body: { closed?: boolean; revoked?: boolean }) =>
    recruiter.call(updateShare, { params: { id }, body });
  const returns = (status: number) => until(`ranges return ${status}`, async () => (await range()) === status);

  await update({ closed: true });
  await returns(401);
  await update({ closed: false });
  await returns(206);
  for (let tries = 0; tries < 10; tries += 1) await wrong.open('wrong');
  await returns(401);
  await update({ closed: false });
  await returns(206);
  const { video_file } = await product.db
    .selectFrom('interview')
    .select('video_file')
    .where('id', '=', 'dana')
    .executeTakeFirstOrThrow();
  const setFile = (name: string | null) =>
    product.db.updateTable('interview').set({ video_file: name }).where('id', '=', 'dana').execute();
  await setFile(null);
  await returns(404);
  await setFile(video_file);
  await returns(206);
  const expire = (at: Date) => product.db.updateTable('share').set({ expires_at: at }).execute();
  await expire(new Date(0));
  await returns(404);
  await expire(new Date(Date.now() + 60_000));
  await returns(206);
  await recruiter.call(deleteFunnel, { params: { id: funnelId } });
  await returns(404);
});

test.each([
  ['a new link', ({ recruiter, linkId: id }: Sharing) => recruiter.call(renewShareLink, { params: { id } })],
  ['an erasure', ({ product }: Sharing) => candidateCommand(product, ['erase', CANDIDATES[0].email, '--yes'])],
])('ranges end in another process after %s', async (_name, change) => {
  const { sharing, range } = await watching();
  await change(sharing);
  await until('the range is rejected', async () => (await range()) === 404);
});

test('a link in memory ends at its expiry', async () => {
  const { sharing, range } = await watching();
  await sharing.product.db
    .updateTable('share')
    .set({ expires_at: new Date(Date.now() + 1_500) })
    .execute();
  await until('the link has expired', async () => (await range()) === 404);
});
