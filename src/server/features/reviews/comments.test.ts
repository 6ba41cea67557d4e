import { describe, expect, test } from 'vitest';
import { addComment, deleteComment, listColleagues, listComments, updateComment } from '#contracts/comments.ts';
import { listLogs } from '#contracts/logs.ts';
import { listReviews, readReviews, saveReview, withdrawReview } from '#contracts/reviews.ts';
import { type Person, refusal } from '#support/call.ts';
import { insertInterviews } from '#support/insert-interviews.ts';
import { connect, listen } from '#support/live-socket.ts';
import { signedInAs } from '#support/people.ts';
import { startApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';

const params = { id: 'iv 1' };
const comment = (person: Person, body: string, atSeconds = 0) =>
  person.call(addComment, { params, body: { body, atSeconds } });
const read = async (person: Person) =>
  (await person.call(listComments, { params })).map(({ author, body }) => `${author}: ${body}`);
const review = (person: Person, ratings = {}) =>
  person.call(saveReview, { params, body: { ratings, recommendation: 3, note: '', submit: true } });

async function setUp() {
  const product = await startApp({ jobs: false });
  const admin = await product.signedIn();
  const funnelId = await product.build.funnel(admin, { name: 'Nurses', funnelId: 'nurses' });
  const other = await product.build.funnel(admin, { name: 'Others', funnelId: 'others' });
  await insertInterviews(product.db, [{ id: 'iv 1', funnelId, title: 'Ada' }]);
  const ann = await signedInAs(product, { role: 'recruiter', username: 'ann' });
  const bob = await signedInAs(product, { role: 'reviewer', username: 'bob', funnelIds: [funnelId] });
  const stranger = await signedInAs(product, { role: 'recruiter', username: 'carl', funnelIds: [other] });
  return { product, admin, ann, bob, stranger };
}

describe('comments', () => {
  test("comments are ordered by moment; others' comments stay hidden until the caller submits a review or opens reviews", async () => {
    const { admin, ann, bob } = await setUp();
    await comment(ann, 'Later', 9.5);
    await comment(ann, 'Early', 1);
    await comment(bob, 'Mine', 5);
    expect(await read(bob)).toEqual(['bob: Mine']);
    expect(await read(admin)).toEqual([]);
    await review(bob);
    expect(await read(bob)).toEqual(['ann: Early', 'bob: Mine', 'ann: Later']);
    await admin.call(readReviews, { params });
    expect(await read(admin)).toHaveLength(3);
  });

  test('more concurrent changes than database connections all succeed', async () => {
    const { ann } = await setUp();
    const ids = await Promise.all(Array.from({ length: 60 }, async (_, at) => (await comment(ann, `${at}`)).id));
    const change = (id: string) => ann.call(updateComment, { params: { id }, body: { body: 'Changed' } });
    expect(new Set((await Promise.all(ids.map(change))).map(({ body }) => body))).toEqual(new Set(['Changed']));
  });

  test("ratings given after reading others' comments do not count as first ratings", async () => {
    const { ann, bob } = await setUp();
    await comment(ann, 'Weak in the end');
    await review(bob);
    await read(bob);
    await review(bob, { overall: 2 });
    expect((await bob.call(listReviews, { params })).mine?.content.firstRatings).toEqual({});
  });

  test('authors change and delete their own comments; hidden comments are not found', async () => {
    const { ann, bob, stranger } = await setUp();
    const { id } = await comment(ann, ' First\nline ', 3);
    const change = (person: Person, commentId = id) =>
      person.call(updateComment, { params: { id: commentId }, body: { body: 'Changed' } });
    const remove = (person: Person) => person.call(deleteComment, { params: { id } });
    for (const call of [() => change(bob), () => remove(bob), () => change(stranger), () => remove(stranger)])
      expect((await refusal(call())).body.message).toBe('This comment no longer exists.');
    for (const unknown of ['4711', '00000000-0000-4000-8000-000000000000'])
      expect((await refusal(change(ann, unknown))).status).toBe(404);
    await review(bob);
    for (const call of [() => change(bob), () => remove(bob)]) expect((await refusal(call())).status).toBe(403);

    expect(await change(ann)).toMatchObject({
      body: 'Changed',
      atSeconds: 3,
      isMine: true,
      editedAt: expect.any(String),
    });
    const moved = await ann.call(updateComment, { params: { id }, body: { body: 'Moved', atSeconds: 7 } });
    expect(moved.atSeconds).toBe(7);
    await remove(ann);
    expect(await read(ann)).toEqual([]);
    expect((await refusal(remove(ann))).status).toBe(404);
  });

  test('an interview has at most 500 comments, even if two are added concurrently', async () => {
    const { product, ann, bob } = await setUp();
    await product.db
      .insertInto('comment')
      .values(Array.from({ length: 499 }, () => ({ interview_id: 'iv 1', author: 'ann', body: 'Hm', at_seconds: 1 })))
      .execute();
    const results = await Promise.allSettled([comment(ann, 'One'), comment(bob, 'Two')]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await refusal(comment(ann, 'Three'))).body).toMatchObject({ code: 'conflict' });
  });

  test('comments keep the name of their author, and are logged without their text', async () => {
    const { product, admin, ann, bob } = await setUp();
    await comment(ann, 'A secret');
    await product.db.deleteFrom('account').where('username', '=', 'ann').execute();
    await review(bob);
    expect(await read(bob)).toEqual(['ann: A secret']);
    const { logs } = await admin.call(listLogs, {});
    expect(logs.find(({ action }) => action === 'add-comment')).toMatchObject({
      summary: 'Commented on "Ada".',
      actor: { name: 'ann' },
      metadata: { interviewId: 'iv 1' },
    });
    expect(JSON.stringify(logs)).not.toContain('secret');
  });
});

test('colleagues are the other accounts that see the interview', async () => {
  const { product, ann, bob } = await setUp();
  await product.db.updateTable('account').set({ is_disabled: true }).where('username', '=', 'bob').execute();
  expect(await ann.call(listColleagues, { params })).toEqual(['admin']);
  await product.db.updateTable('account').set({ is_disabled: false }).where('username', '=', 'bob').execute();
  expect(await bob.call(listColleagues, { params })).toEqual(['admin', 'ann']);
  // Administrators see all funnels, even if single sign-on assigned the role.
  await signedInAs(product, { role: 'administrator', username: 'alex', funnelIds: [] });
  expect(await bob.call(listColleagues, { params })).toEqual(['admin', 'alex', 'ann']);
});

test('open browsers are notified of comments and reviews of visible interviews, without their content', async () => {
  const { product, admin, ann, stranger } = await setUp();
  const origin = await listen(product);
  const [seeing, blind, own] = [
    await connect(origin, admin),
    await connect(origin, stranger),
    await connect(origin, ann),
  ];
  const { id } = await comment(ann, 'A secret');
  await ann.call(deleteComment, { params: { id } });
  await review(ann);
  await ann.call(withdrawReview, { params });
  const about = ({ messages }: typeof seeing) =>
    messages.filter(({ type }) => /^(comments|reviews)-changed$|^interview-edited$/.test(type));
  await until('four changes are announced', () => about(seeing).length >= 4 && about(own).length >= 6);
  const data = { interviewId: 'iv 1' };
  const [commented, reviewed] = [
    { type: 'comments-changed', data },
    { type: 'reviews-changed', data },
  ];
  expect(about(seeing)).toEqual([commented, commented, reviewed, reviewed]);
  expect(about(blind)).toEqual([]);
  // The cards in the reviewer's own browsers show the decision.
  const marked = { type: 'interview-edited', data };
  expect(about(own)).toEqual([commented, commented, marked, reviewed, marked, reviewed]);
});
