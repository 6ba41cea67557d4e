import { expect, test } from 'vitest';
import { listLogs } from '#contracts/logs.ts';
import { getAnswers, markAnswer } from '#contracts/review.ts';
import { insertInterviews } from '#support/insert-interviews.ts';
import { startApp } from '#support/start-app.ts';

test('an answer starts where staff marked it, else at the time of the service or the summary; marks are logged', async () => {
  const product = await startApp({ jobs: false });
  const recruiter = await product.signedIn();
  const funnelId = await product.build.funnel(recruiter, { name: 'Nurses', funnelId: 'nurses' });
  await insertInterviews(product.db, [{ id: 'a', funnelId, summary: 'Good.' }]);
  const answers = async () => (await recruiter.call(getAnswers, { params: { id: 'a' } })).answers;
  expect(await answers()).toEqual([]);

  const summarized = [
    { position: 0, startSeconds: 1 },
    { position: 1, startSeconds: 11 },
    { position: 9, startSeconds: 90 },
  ];
  await product.db
    .updateTable('interview_text')
    .set({ summary_structure: JSON.stringify({ answers: summarized }) })
    .execute();
  const questions = [
    { position: 0, question: 'Why us?' },
    { position: 1, question: 'Why now?', startSeconds: 12.5 },
    { position: 2, question: 'Why not?', startSeconds: 30 },
  ];
  await product.db
    .updateTable('interview')
    .set({ questions: JSON.stringify(questions) })
    .execute();
  expect(await answers()).toEqual([
    { position: 0, startSeconds: 1 },
    { position: 1, startSeconds: 12.5 },
    { position: 2, startSeconds: 30 },
  ]);

  for (const startSeconds of [4, 5.5])
    await recruiter.call(markAnswer, { params: { id: 'a' }, body: { position: 2, startSeconds } });
  expect(await answers()).toEqual([
    { position: 0, startSeconds: 1 },
    { position: 2, startSeconds: 5.5 },
    { position: 1, startSeconds: 12.5 },
  ]);
  const entries = (await recruiter.call(listLogs, {})).logs.filter(({ action }) => action === 'mark-answer');
  expect(entries).toHaveLength(2);
  expect(entries[0]).toMatchObject({
    summary: 'Marked where an answer starts in "Interview a".',
    actor: { kind: 'account', name: 'admin' },
    details: { position: 2, startSeconds: 5.5 },
    metadata: { interviewId: 'a' },
  });
});
