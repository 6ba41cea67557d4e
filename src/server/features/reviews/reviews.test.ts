import { describe, expect, test } from 'vitest';
import { listLogs } from '#contracts/logs.ts';
import { listReviews, readReviews, saveReview, saveScorecard, withdrawReview } from '#contracts/reviews.ts';
import { type Person, refusal } from '#support/call.ts';
import { insertInterviews } from '#support/insert-interviews.ts';
import { signedInAs } from '#support/people.ts';
import { startApp } from '#support/start-app.ts';

type Content = Partial<{ ratings: Record<string, number | null>; recommendation: number | null; note: string }>;

const params = { id: 'iv 1' };
const save = (person: Person, content: Content, submit: boolean) =>
  person.call(saveReview, { params, body: { ratings: {}, recommendation: null, note: '', ...content, submit } });
const submit = (person: Person, recommendation: number, ratings: Record<string, number | null> = {}, note = '') =>
  save(person, { recommendation, ratings, note }, true);
const read = (person: Person) => person.call(listReviews, { params });

/** Sets up an interview with an administrator, a recruiter and a reviewer. */
async function setUp() {
  const product = await startApp({ jobs: false });
  const admin = await product.signedIn();
  const funnelId = await product.build.funnel(admin, { name: 'Nurses', funnelId: 'nurses' });
  await insertInterviews(product.db, [{ id: 'iv 1', funnelId, title: 'Ada' }]);
  const ann = await signedInAs(product, { role: 'recruiter', username: 'ann' });
  const bob = await signedInAs(product, { role: 'reviewer', username: 'bob' });
  return { product, admin, ann, bob, funnelId };
}

describe('blind reviews', () => {
  test("others' reviews stay on the server until the caller's own is submitted, even for administrators", async () => {
    const { admin, ann, bob } = await setUp();
    await submit(ann, 4, { overall: 5 }, 'Calm and precise.');
    await submit(bob, 1, { overall: 1 }, 'Arrives late.');
    await save(admin, { ratings: { overall: 3 }, note: 'Not sure yet.' }, false);

    const hidden = await admin.request({ method: 'GET', url: '/api/interviews/iv%201/reviews' });
    expect(hidden.body).not.toMatch(/Calm|late|"recommendation":[1-4]|"overall":[15]/);
    expect(hidden.json()).toMatchObject({
      mine: { author: 'admin', submittedAt: null, content: { ratings: { overall: 3 }, note: 'Not sure yet.' } },
      others: [
        { author: 'ann', afterReading: false, content: null },
        { author: 'bob', afterReading: false, content: null },
      ],
      count: 2,
      average: null,
    });

    await submit(admin, 3, { overall: 3 });
    const { others, average } = await read(admin);
    expect(others.map(({ content }) => [content?.recommendation, content?.note])).toEqual([
      [4, 'Calm and precise.'],
      [1, 'Arrives late.'],
    ]);
    expect(average).toEqual({ ratings: { overall: 3 }, count: 3 });
  });

  test('a draft is visible only to its author, and does not count', async () => {
    const { ann, bob } = await setUp();
    await save(ann, { note: 'A draft' }, false);
    await submit(bob, 2);
    expect(await read(bob)).toMatchObject({ others: [], count: 0 });
    expect((await read(ann)).mine?.content.note).toBe('A draft');
  });

  test('the log shows who reviewed, but not their opinion', async () => {
    const { product, admin, ann } = await setUp();
    await submit(ann, 4, { overall: 5 }, 'Calm and precise.');
    await submit(ann, 4, { overall: 5 }, 'Calm.');
    const { logs } = await admin.call(listLogs, {});
    const entries = logs.filter(({ action }) => action === 'submit-review');
    expect(entries).toMatchObject([
      {
        summary: 'Changed the review of "Ada".',
        actor: { name: 'ann' },
        details: null,
        metadata: { interviewId: 'iv 1' },
      },
      { summary: 'Reviewed "Ada".', actor: { name: 'ann' }, details: null, metadata: { interviewId: 'iv 1' } },
    ]);
    expect(Object.keys(entries[0]?.metadata ?? {})).toEqual(['interviewId']);
    expect(
      await product.db.selectFrom('log_entry').select('id').where('action', '=', 'open-reviews').execute(),
    ).toEqual([]);
  });

  test('opening reviews without reviewing is logged, and excludes a later review from the average', async () => {
    const { admin, ann, bob } = await setUp();
    await submit(ann, 4, { overall: 5 });
    await bob.call(readReviews, { params });
    await bob.call(readReviews, { params });
    expect((await read(bob)).others[0]?.content?.ratings).toEqual({ overall: 5 });
    expect(await submit(bob, 2, { overall: 1 })).toMatchObject({ afterReading: true });
    await submit(bob, 1, { overall: 1 });

    expect((await read(ann)).others).toMatchObject([{ author: 'bob', afterReading: true }]);
    expect((await read(ann)).average).toBeNull();
    await submit(admin, 3, { overall: 4 });
    expect((await read(bob)).average).toEqual({ ratings: { overall: 4.5 }, count: 2 });
    const { logs } = await admin.call(listLogs, {});
    expect(logs.filter(({ action }) => action === 'open-reviews')).toMatchObject([
      { summary: 'Read the reviews of "Ada" without reviewing.', actor: { name: 'bob' } },
    ]);
  });

  test('a changed review keeps its first ratings, and the average uses them', async () => {
    const { ann, bob } = await setUp();
    await submit(ann, 4, { overall: 5 });
    await submit(bob, 2, { overall: 2 });
    await read(ann);
    const changed = await submit(ann, 1, { overall: 1 });
    expect(changed.content).toMatchObject({ ratings: { overall: 1 }, recommendation: 1, firstRatings: { overall: 5 } });
    expect((await read(bob)).others[0]?.content).toMatchObject({
      ratings: { overall: 1 },
      firstRatings: { overall: 5 },
    });
    expect((await read(bob)).average?.ratings).toEqual({ overall: 3.5 });
  });

  test("ratings added after a quick decision are first ratings unless their author has read others' reviews", async () => {
    const { product, ann, bob, admin, funnelId } = await setUp();
    await product.db
      .updateTable('funnel')
      .set({ skill_expectations: 'Lifts 20 kg' })
      .where('id', '=', funnelId)
      .execute();
    for (const person of [ann, bob, admin]) await submit(person, 3);
    expect((await submit(ann, 3, { skillExpectations: 4 })).content.firstRatings).toEqual({ skillExpectations: 4 });
    await read(bob);
    expect((await submit(bob, 3, { skillExpectations: 1 })).content).toMatchObject({
      ratings: { skillExpectations: 1 },
      firstRatings: {},
    });
    expect((await read(ann)).average).toEqual({ ratings: { skillExpectations: 4 }, count: 3 });
  });
});

test('a quick decision keeps the ratings and the note of a draft', async () => {
  const { ann } = await setUp();
  await save(ann, { ratings: { overall: 4 }, note: 'Calm.' }, false);
  const body = { recommendation: 3, submit: true };
  expect((await ann.call(saveReview, { params, body })).content).toMatchObject({
    ...{ ratings: { overall: 4 }, firstRatings: { overall: 4 }, recommendation: 3, note: 'Calm.' },
  });
});

test("a decision can be undone until others' reviews are read; ratings and note stay as a draft", async () => {
  const { ann, bob } = await setUp();
  await submit(ann, 4);
  await ann.call(withdrawReview, { params });
  expect(await read(ann)).toMatchObject({ mine: null });
  await submit(ann, 4, { overall: 5 }, 'Calm.');
  await ann.call(withdrawReview, { params });
  await submit(bob, 1);
  expect(await read(ann)).toMatchObject({
    mine: {
      submittedAt: null,
      content: { ratings: { overall: 5 }, note: 'Calm.', recommendation: null, firstRatings: null },
    },
    others: [{ content: null }],
  });
  await ann.call(withdrawReview, { params });
  await submit(ann, 4);
  await read(ann);
  expect((await refusal(ann.call(withdrawReview, { params }))).body).toMatchObject({
    code: 'conflict',
    message: "You have read others' reviews. Change your review instead.",
  });
});

test('a criterion that no review rates has no average', async () => {
  const { ann, bob } = await setUp();
  await submit(ann, 3, { overall: null });
  await submit(bob, 3, {});
  expect((await read(bob)).average).toEqual({ ratings: { overall: null }, count: 2 });
});

test('a review needs a recommendation, ratings of the scorecard, and an interview that the reviewer sees', async () => {
  const { product, admin, ann, funnelId } = await setUp();
  expect((await refusal(save(ann, {}, true))).body).toMatchObject({
    field: 'recommendation',
    message: 'recommendation is required.',
  });
  await submit(ann, 2);
  expect((await refusal(save(ann, {}, false))).body.field).toBe('recommendation');
  expect((await refusal(submit(ann, 2, { height: 3 }))).body).toMatchObject({
    field: 'ratings',
    message: 'ratings contains "height", which is not a criterion of the scorecard: overall.',
  });
  const other = await product.build.funnel(admin, { funnelId: 'other' });
  const stranger = await signedInAs(product, { role: 'recruiter', funnelIds: [other] });
  for (const call of [() => submit(stranger, 3), () => read(stranger), () => stranger.call(readReviews, { params })])
    expect((await refusal(call())).status).toBe(404);
  expect(
    (await refusal(ann.call(saveReview, { params: { id: 'none' }, body: { ratings: {}, submit: false } }))).status,
  ).toBe(404);
  expect(funnelId).not.toBe(other);
});

test('a submitted review keeps its scorecard, and a draft gets the current one', async () => {
  const { admin, ann, bob, funnelId } = await setUp();
  await submit(ann, 3, { overall: 4 });
  const criteria = [{ key: 'care', label: 'Care', low: '', middle: '', high: '' }];
  await admin.call(saveScorecard, { params: { id: funnelId }, body: { criteria } });
  expect((await submit(ann, 3, { overall: 5 })).content.criteria.map(({ key }) => key)).toEqual(['overall']);
  expect((await refusal(submit(bob, 3, { overall: 4 }))).body.field).toBe('ratings');
  expect((await submit(bob, 3, { care: 4 })).content.criteria).toEqual(criteria);
  expect((await read(bob)).average?.ratings).toEqual({ care: 4 });
});

test("a quick decision drops a draft's ratings of removed criteria", async () => {
  const { admin, ann, funnelId } = await setUp();
  const care = { key: 'care', label: 'Care', low: '', middle: '', high: '' };
  const both = [care, { ...care, key: 'speed', label: 'Speed' }];
  await admin.call(saveScorecard, { params: { id: funnelId }, body: { criteria: both } });
  await save(ann, { ratings: { care: 4, speed: 2 }, note: 'Calm.' }, false);
  await admin.call(saveScorecard, { params: { id: funnelId }, body: { criteria: [care] } });
  const { content } = await ann.call(saveReview, { params, body: { recommendation: 3, submit: true } });
  expect(content).toMatchObject({ criteria: [care], ratings: { care: 4 }, note: 'Calm.' });
  expect(Object.keys(content.ratings)).toEqual(['care']);
});

test("a review keeps its author's name after their account is deleted, and is deleted with its interview", async () => {
  const { product, ann, bob } = await setUp();
  await submit(ann, 4, { overall: 5 });
  await product.db.deleteFrom('account').where('username', '=', 'ann').execute();
  await submit(bob, 3);
  expect((await read(bob)).others).toMatchObject([{ author: 'ann', content: { recommendation: 4 } }]);
  await product.db.deleteFrom('interview').execute();
  expect(await product.db.selectFrom('review').select('author').execute()).toEqual([]);
  expect(await product.db.selectFrom('review_reading').selectAll().execute()).toEqual([]);
});
