import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addComment, listComments } from '#contracts/comments.ts';
import { deleteFunnel, listFunnels } from '#contracts/funnels.ts';
import { getVideo, type Interview, listInterviews } from '#contracts/interviews.ts';
import { listLogs } from '#contracts/logs.ts';
import { listReviews, saveReview } from '#contracts/reviews.ts';
import { funnelCommand } from '#server/cli/funnel-command.ts';
import { backUp, filesOf } from '#support/backups.ts';
import type { Person } from '#support/call.ts';
import { ADA, candidateCommand } from '#support/candidate.ts';
import { runCommand } from '#support/commands.ts';
import { setUpProcessing } from '#support/processing.ts';
import { FUNNEL, refresh } from '#support/refreshing.ts';
import { until } from '#support/until.ts';

const all = (recruiter: Person) => recruiter.call(listInterviews, { query: { limit: 100 } });

/** A funnel with a processed interview and one of ADA, a backup of it, and what commands need. */
async function setUp() {
  const on = await setUpProcessing();
  const { sandbox, product, recruiter } = on;
  for (const step of ['convert', 'transcribe'] as const) await on.done(step);
  const [, second] = sandbox.control.interviews(FUNNEL);
  sandbox.control.change(FUNNEL, second?.id ?? '', { candidate: ADA });
  await refresh(product, recruiter);
  const review = { ratings: { skillExpectations: 4 }, recommendation: 3, note: 'Calm.', submit: true };
  await recruiter.call(saveReview, { params: { id: second?.id ?? '' }, body: review });
  await recruiter.call(addComment, { params: { id: second?.id ?? '' }, body: { body: 'Again', atSeconds: 3 } });
  const { interviews } = await all(recruiter);
  const { file } = await backUp(product.environment);
  const [funnel] = await recruiter.call(listFunnels, {});
  if (!funnel) throw new Error('Funnel not found');
  const remove = async () => {
    await recruiter.call(deleteFunnel, { params: { id: funnel.id } });
    const videos = join(product.dataDir, 'files', 'videos');
    const thumbnails = join(product.dataDir, 'files', 'thumbnails');
    const list = async () => [...(await readdir(videos)), ...(await readdir(thumbnails))];
    await until('the files are removed', async () => (await list()).length === 0);
  };
  const restore = async (name: string, ...options: string[]) =>
    (await runCommand(funnelCommand, ['restore', file, name, ...options], product.environment)).result;
  return { ...on, interviews, file, funnel, remove, restore };
}

/** Published videos are removed with a funnel. */
const unpublished = (interview: Interview) =>
  interview.youtubeId === null
    ? interview
    : { ...interview, youtubeId: null, youtubeUrl: null, youtubeStatus: null, processingStatus: expect.anything() };

test('a deleted funnel is brought back from a backup with its interviews, transcripts and recordings', {
  timeout: 60_000,
}, async () => {
  const { product, recruiter, interviews, funnel, remove, restore } = await setUp();
  const files = await filesOf({ DATA_DIR: product.dataDir });
  await remove();
  await expect(restore(funnel.name)).rejects.toThrow(/Restore funnel ".+" with \d+ interviews of .*\n.*--yes/);
  const result = await restore(funnel.name, '--yes');
  expect(result).toContain(`with ${interviews.length} interviews and ${Object.keys(files).length} files`);
  expect(result).toContain('Published videos were removed with the funnel: 1.');

  expect(await recruiter.call(listFunnels, {})).toEqual([funnel]);
  expect(await filesOf({ DATA_DIR: product.dataDir })).toEqual(files);
  const restored = await all(recruiter);
  const reviewed = interviews.find(({ myRecommendation }) => myRecommendation === 3)?.id ?? '';
  const { mine } = await recruiter.call(listReviews, { params: { id: reviewed } });
  expect(await recruiter.call(listComments, { params: { id: reviewed } })).toMatchObject([
    { body: 'Again', isMine: true },
  ]);
  expect(mine).toMatchObject({ author: 'admin', content: { ratings: { skillExpectations: 4 }, note: 'Calm.' } });
  expect(restored).toMatchObject({ total: interviews.length, interviews: interviews.map(unpublished) });
  const { id = '' } = restored.interviews.find(({ hasLocalCopy }) => hasLocalCopy) ?? {};
  const { videoFile } = await recruiter.call(getVideo, { params: { id } });
  const url = `/api/files/video/${videoFile}`;
  const played = await recruiter.request({ method: 'GET', url, headers: { range: 'bytes=0-99' } });
  expect([played.statusCode, played.rawPayload.length]).toEqual([206, 100]);

  const { logs } = await recruiter.call(listLogs, { query: {} });
  expect(logs.find(({ action }) => action === 'restore-funnel')).toMatchObject({
    summary: `Funnel "${funnel.name}" was restored from a backup with ${interviews.length} interviews.`,
    status: 'success',
  });
  await refresh(product, recruiter);
  expect((await all(recruiter)).total).toBe(interviews.length);
});

test('a restored funnel lacks candidates who were erased after the backup', { timeout: 60_000 }, async () => {
  const { product, recruiter, interviews, funnel, remove, restore } = await setUp();
  await candidateCommand(product, ['erase', ADA.email, '--yes']);
  await remove();
  expect(await restore(String(funnel.id), '--yes')).toContain('Left out because their candidates were erased: 1.');
  const restored = await all(recruiter);
  expect(restored.total).toBe(interviews.length - 1);
  expect(JSON.stringify(restored)).not.toContain(ADA.email);
  expect(Object.keys(await filesOf({ DATA_DIR: product.dataDir })).length).toBeGreaterThan(0);
});

test('a funnel is not restored over an existing one, under an unknown name, or from a modified backup', {
  timeout: 60_000,
}, async () => {
  const { product, recruiter, file, funnel, remove, restore } = await setUp();
  const before = await all(recruiter);
  await expect(restore(funnel.name, '--yes')).rejects.toThrow('exists, so it was not deleted after the backup');
  await expect(restore('Nowhere', '--yes')).rejects.toThrow(
    `The backup has no funnel Nowhere. It has: ${funnel.name}.`,
  );
  const other = { ...product.environment, ENCRYPTION_KEY: 'ab'.repeat(32) };
  await expect(runCommand(funnelCommand, ['restore', file, funnel.name, '--yes'], other)).rejects.toThrow(
    'cannot be authenticated',
  );
  expect(await all(recruiter)).toEqual(before);
  await remove();
  await product.build.funnel(recruiter, { name: funnel.name });
  await expect(restore(funnel.name, '--yes')).rejects.toThrow('There is another funnel named');
});
