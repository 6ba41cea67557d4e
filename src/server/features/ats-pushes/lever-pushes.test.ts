import { expect, test } from 'vitest';
import { getBulkRun, startBulkRun } from '#contracts/bulk.ts';
import { saveSummary } from '#contracts/interviews.ts';
import { candidateCommand } from '#support/candidate.ts';
import { AMARA, insertSendable, leverVariables, mostPerSecond, SUMMARY, senderOf } from '#support/sending.ts';
import { startApp } from '#support/start-app.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { until } from '#support/until.ts';

const DESTINATION = 'BUB-lever-post-frontend';
const CANDIDATE = { candidateId: 'opp-1' };

async function setUpLever(ids: readonly string[]) {
  const sandbox = await startSandbox();
  const product = await startApp({ env: leverVariables(sandbox) });
  const recruiter = await product.signedIn();
  const funnelId = await product.build.activeFunnel(recruiter);
  await insertSendable(
    product,
    funnelId,
    ids.map((id) => ({ id, destinationId: DESTINATION })),
  );
  const notesInLever = () => sandbox.control.lever.notes.filter(({ deletedAt }) => deletedAt === null);
  return { sandbox, product, recruiter, ...senderOf(recruiter, sandbox), notesInLever };
}

test('a note in Lever is written, updated and erased, and ends with its marker', async () => {
  const { product, recruiter, show, send, reaches, notesInLever } = await setUpLever(['iv_1']);
  expect(await show()).toMatchObject({ candidates: [{ id: 'opp-1' }], job: { employerId: 'lever' } });
  await send('iv_1', CANDIDATE);
  await reaches('sent');
  const [note] = notesInLever();
  expect(note?.value).toContain(SUMMARY.split('\n')[1]);
  expect(note?.value.split('\n').at(-1)).toBe('vim:iv_1');
  await recruiter.call(saveSummary, { params: { id: 'iv_1' }, body: { summaryText: 'Overview\nNew.' } });
  await send('iv_1', CANDIDATE);
  await reaches('sent');
  expect(notesInLever()).toMatchObject([{ value: expect.stringContaining('New.') }]);
  const { result } = await candidateCommand(product, ['erase', AMARA.email, '--yes']);
  expect(result).toContain('Nothing is left to do.');
  expect(notesInLever()).toEqual([]);
});

test('many pushes stay below ten calls per second, and a burst of 429 responses loses none', {
  timeout: 60_000,
}, async () => {
  const ids = Array.from({ length: 40 }, (_, at) => `iv_${at}`);
  const { sandbox, recruiter, notesInLever } = await setUpLever(ids);
  sandbox.control.fail({ kind: 'status', status: 429, on: 'lever', times: 2 });
  const { id } = await recruiter.call(startBulkRun, { body: { action: 'sendToAts', target: { ids } } });
  await until(
    'the run ends',
    async () => (await recruiter.call(getBulkRun, { params: { id } })).status !== 'running' || null,
    50_000,
  );
  expect(await recruiter.call(getBulkRun, { params: { id } })).toMatchObject({ done: 40, failed: 0, skipped: 0 });
  expect(mostPerSecond(sandbox)).toBeLessThanOrEqual(10);
  expect(
    notesInLever()
      .map(({ value }) => value.split('\n').at(-1))
      .toSorted(),
  ).toEqual(ids.map((each) => `vim:${each}`).toSorted());
});
