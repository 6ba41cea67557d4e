import { beforeAll, expect, test } from 'vitest';
import { createSavedView, deleteSavedView, listSavedViews, renameSavedView } from '#contracts/saved-views.ts';
import { type Person, refusal } from '#support/call.ts';
import { startSharedApp, type TestApp } from '#support/start-app.ts';

let product: TestApp;
let recruiter: Person;
beforeAll(async () => {
  const shared = await startSharedApp({
    jobs: false,
  });
  product = shared.product;
  recruiter = await product.signedIn();
  return shared.clear;
});

const clear = async () => {
  for (const { id } of await recruiter.call(listSavedViews, {}))
    await recruiter.call(deleteSavedView, { params: { id } });
};
const save = (name: string, query = 'status=new&funnel=1') =>
  recruiter.call(createSavedView, { body: { name, query } });

test('views are saved with their query, listed by name, renamed and deleted', async () => {
  const nurses = await save(' My nurses ');
  const cooks = await save('cooks', '');
  expect(nurses).toEqual({ id: nurses.id, name: 'My nurses', query: 'status=new&funnel=1' });
  expect(await recruiter.call(listSavedViews, {})).toEqual([cooks, nurses]);
  const renamed = await recruiter.call(renameSavedView, { params: { id: nurses.id }, body: { name: 'A' } });
  expect(renamed).toEqual({ ...nurses, name: 'A' });
  expect(await recruiter.call(listSavedViews, {})).toEqual([renamed, cooks]);
  await recruiter.call(deleteSavedView, { params: { id: nurses.id } });
  expect(await recruiter.call(listSavedViews, {})).toEqual([cooks]);
  await clear();
});

test('an account has at most 20 views, even when they are saved at the same time', async () => {
  const saved = await Promise.allSettled(Array.from({ length: 22 }, (_, nth) => save(`View ${nth}`)));
  expect(saved.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  const { status, body } = await refusal(save('One more'));
  expect([status, body.message]).toEqual([409, 'You have 20 saved views. Delete one to save another.']);
  await clear();
});

test('views of other accounts are neither listed, renamed nor deleted', async () => {
  const { id } = await save('Mine');
  const other = await product.db
    .insertInto('account')
    .values({ username: 'olga', password_hash: 'none' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await product.db.updateTable('saved_view').set({ account_id: other.id }).where('id', '=', id).execute();
  const params = { id };
  expect(await recruiter.call(listSavedViews, {})).toEqual([]);
  expect((await refusal(recruiter.call(renameSavedView, { params, body: { name: 'Yours' } }))).status).toBe(404);
  expect((await refusal(recruiter.call(deleteSavedView, { params }))).status).toBe(404);
  // They are deleted with their account.
  await product.db.deleteFrom('account').where('id', '=', other.id).execute();
  expect(await product.db.selectFrom('saved_view').select('id').execute()).toEqual([]);
});

test('a view of an account that is being removed fails as a conflict with that change', async () => {
  const { password_hash } = await product.db
    .selectFrom('account')
    .select('password_hash')
    .where('username', '=', 'admin')
    .executeTakeFirstOrThrow();
  await product.db.insertInto('account').values({ username: 'vera', password_hash }).execute();
  const vera = await product.signedIn('vera');
  await vera.call(listSavedViews, {});
  // Without an announcement, so that the process still accepts the session.
  await product.db.deleteFrom('account').where('username', '=', 'vera').execute();
  const { status, body } = await refusal(vera.call(createSavedView, { body: { name: 'Hers', query: '' } }));
  expect([status, body.message]).toEqual([503, 'Someone else changed this at the same time. Try again.']);
});
