import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { activateFunnel, createFunnel } from '#contracts/funnels.ts';
import { getInterview } from '#contracts/interviews.ts';
import { startSync } from '#contracts/sync.ts';
import { HIREFLIX_MEDIA } from '#sandbox/hireflix/initial-hireflix.ts';
import { surroundings } from '#support/process-surroundings.ts';
import { startProcess } from '#support/start-process.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { until } from '#support/until.ts';

const ID = 'hfx_long';
/** Joining this many takes long enough for the test to detect it and kill the process. */
const ANSWERS = 25;

test('after a kill while answers are joined, the interview has its whole recording and no other file is left', {
  timeout: 90_000,
}, async () => {
  const sandbox = await startSandbox();
  const { hireflix } = sandbox.control;
  for (const { id } of hireflix.interviews()) hireflix.remove(id);
  const questions = Array.from({ length: ANSWERS }, (_, at) => ({
    id: `q${at}`,
    answer: { id: `a${at}`, url: `${HIREFLIX_MEDIA}/${ID}_${at}/support-knowledge.mp4` },
  }));
  hireflix.add({ id: ID, status: 'completed', createdAt: 1, completedAt: 1, questions });
  const env = await surroundings(sandbox);
  const first = await startProcess(env);
  const { apiKey, positionId: funnelId } = sandbox.hireflix;
  const form = { name: 'Designers', source: 'hireflix', apiKey, funnelId } as const;
  const { id } = await first.call(createFunnel, { body: form });
  await first.call(activateFunnel, { params: { id } });
  await first.call(startSync, { query: {} });

  const namesIn = (folder: string) => readdir(join(env.DATA_DIR, 'files', folder)).catch((): string[] => []);
  await until(
    'the answers are being joined',
    async () => (await namesIn('videos')).length === ANSWERS && (await namesIn('partial/videos')).length === 1,
    30_000,
  );
  await first.kill();
  expect([await namesIn('videos'), await namesIn('partial/videos')].map(({ length }) => length)).toEqual([ANSWERS, 1]);

  const second = await startProcess(env);
  const { videoFile, duration, segments } = await until(
    'the answers are joined',
    async () => {
      const interview = await second.call(getInterview, { params: { id: ID } });
      return interview.videoFile ? interview : null;
    },
    30_000,
  );
  expect(Math.abs(duration - 19.7 * ANSWERS)).toBeLessThan(5);
  expect(segments.at(-1)?.startSeconds).toBeCloseTo(19.7 * (ANSWERS - 1), -1);
  const names = [videoFile, ...segments.map((segment) => segment.videoFile)];
  expect((await namesIn('videos')).sort()).toEqual(names.toSorted());
  expect(await namesIn('partial/videos')).toEqual([]);
});
