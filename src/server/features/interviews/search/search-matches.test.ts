import { expect, test } from 'vitest';
import { listInterviews, saveTranscript } from '#contracts/interviews.ts';
import { getReview } from '#contracts/review.ts';
import { insertInterviews } from '#support/insert-interviews.ts';
import { startApp } from '#support/start-app.ts';

async function withTexts() {
  const product = await startApp({ jobs: false });
  const recruiter = await product.signedIn();
  const funnelId = await product.build.funnel(recruiter, { name: 'Nurses', clientName: 'Mercy', funnelId: 'nurses' });
  await insertInterviews(product.db, [
    {
      id: 'spoken',
      funnelId,
      title: 'Ana',
      transcript: 'I test the checkout. A browser test is safe.',
      transcriptionStatus: 'completed',
    },
    { id: 'written', funnelId, title: 'Ben', summary: 'Overview\nKnows every browser.' },
    {
      id: 'long',
      funnelId,
      title: 'Cleo',
      transcript: `${'many words '.repeat(80)}a browser ${'more words '.repeat(80)}`,
    },
    { id: 'titled', funnelId, title: 'Browser engineer' },
  ]);
  const segments = [
    { startSeconds: 0, endSeconds: 3, text: 'I test the checkout with unsafe tools.' },
    { startSeconds: 3, endSeconds: 6, text: 'A browser test of the whole purchase is safe.' },
    { startSeconds: 6, endSeconds: 9, text: 'So the checkout works in a browser.' },
  ];
  await product.db
    .updateTable('interview_text')
    .set({ segments: JSON.stringify(segments) })
    .where('interview_id', '=', 'spoken')
    .execute();
  const matches = async (search: string) => {
    const { interviews } = await recruiter.call(listInterviews, { query: { search, texts: 'false' } });
    return Object.fromEntries(interviews.map(({ id, match }) => [id, match]));
  };
  return { product, recruiter, matches };
}

test('a search returns the line that contains most of its words, and its time', async () => {
  const { matches } = await withTexts();
  expect(await matches('checkout browser')).toEqual({
    spoken: { field: 'transcript', text: 'So the checkout works in a browser.', startSeconds: 6 },
  });
  // A search finds beginnings of words only.
  expect((await matches('safe')).spoken).toMatchObject({ startSeconds: 3 });
});

test('a search names the column or the line of the summary where it matched', async () => {
  const { matches } = await withTexts();
  const found = await matches('BROWSER');
  expect(found.titled).toEqual({ field: 'title', text: 'Browser engineer', startSeconds: null });
  expect(found.written).toEqual({ field: 'summary', text: 'Knows every browser.', startSeconds: null });
  expect(found.long?.text).toMatch(/^… (many )?words .* a browser more words .* …$/);
  expect(found.long?.text.length).toBeLessThan(260);
  expect((await matches('ana checkout')).spoken).toMatchObject({ field: 'transcript', startSeconds: 0 });
});

test('a line without spaces is cut around the word', async () => {
  const { product, matches } = await withTexts();
  const lines = [`経験${'後'.repeat(300)}`, `${'前'.repeat(300)},学校${'後'.repeat(300)}`];
  await product.db
    .updateTable('interview_text')
    .set({ summary_text: lines.join('\n') })
    .where('interview_id', '=', 'written')
    .execute();
  expect((await matches('経験')).written?.text).toBe(`経験${'後'.repeat(238)} …`);
  expect((await matches('学校')).written?.text).toBe(`… ${'前'.repeat(59)},学校${'後'.repeat(178)} …`);
});

test('an answer without a search has no match', async () => {
  const { matches } = await withTexts();
  expect(Object.values(await matches(''))).toEqual([null, null, null, null]);
});

test('the review counts interviews whose speech a search cannot find', async () => {
  const { recruiter } = await withTexts();
  const missing = async (query: object) => (await recruiter.call(getReview, { query })).withoutTranscript;
  expect(await missing({})).toBeNull();
  expect(await missing({ search: 'browser' })).toBe(3);
  await recruiter.call(saveTranscript, { params: { id: 'titled' }, body: { transcriptionText: 'Hello' } });
  expect(await missing({ search: 'browser' })).toBe(2);
  expect(await missing({ search: 'browser', status: 'new' })).toBe(2);
  expect(await missing({ search: 'browser', clientName: ['Other'] })).toBe(0);
});
