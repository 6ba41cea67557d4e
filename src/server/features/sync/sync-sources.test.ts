import { expect, test } from 'vitest';
import { activateFunnel, createFunnel } from '#contracts/funnels.ts';
import { getInterview, listInterviews } from '#contracts/interviews.ts';
import { getSyncStatus, startSync } from '#contracts/sync.ts';
import { setUpRefresh } from '#support/refreshing.ts';
import { until } from '#support/until.ts';

test('a refresh reads Hireflix and VideoAsk, and the answers of an interview become its video', async () => {
  const { sandbox, recruiter } = await setUpRefresh();
  const { hireflix, videoask } = sandbox;
  const read = async (form: { source: 'hireflix' | 'videoask'; apiKey: string; funnelId: string }) => {
    const { id } = await recruiter.call(createFunnel, { body: { name: form.source, ...form } });
    await recruiter.call(activateFunnel, { params: { id } });
    await recruiter.call(startSync, { query: { timeframe: 'all' } });
    const ended = async () => {
      const status = await recruiter.call(getSyncStatus, {});
      return status.inProgress ? null : status;
    };
    expect((await until('the refresh ends', ended, 30_000)).error).toBeNull();
    const { interviews, total } = await recruiter.call(listInterviews, { query: { funnelId: [id], limit: 1 } });
    const params = { id: interviews[0]?.id ?? '' };
    const joined = async () => {
      const interview = await recruiter.call(getInterview, { params, query: { texts: 'false' } });
      return interview.videoFile ? interview : null;
    };
    return { total, newest: await until('the answers are joined', joined, 40_000) };
  };

  const designers = await read({ source: 'hireflix', apiKey: hireflix.apiKey, funnelId: hireflix.positionId });
  expect(designers.total).toBe(11);
  const { segments } = designers.newest;
  expect(segments.map(({ question }) => question)).toEqual([
    'Which work are you proud of?',
    'How do you handle a disagreement?',
    'What would you like to learn here?',
  ]);
  expect(segments.map(({ startSeconds }) => startSeconds)).toEqual([0, expect.any(Number), expect.any(Number)]);

  const baristas = await read({ source: 'videoask', apiKey: videoask.organization, funnelId: videoask.formId });
  expect([baristas.total, baristas.newest.segments.length]).toEqual([8, 3]);
}, 90_000);
