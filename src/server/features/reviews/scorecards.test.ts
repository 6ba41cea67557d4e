import { expect, test } from 'vitest';
import { updateFunnel } from '#contracts/funnels.ts';
import { listLogs } from '#contracts/logs.ts';
import { type Criterion, getScorecard, saveScorecard } from '#contracts/reviews.ts';
import { refusal } from '#support/call.ts';
import { signedInAs } from '#support/people.ts';
import { startApp } from '#support/start-app.ts';

async function setUp() {
  const product = await startApp({ jobs: false });
  const recruiter = await product.signedIn();
  const id = await product.build.funnel(recruiter, { name: 'Nurses', funnelId: 'nurses' });
  const find = async () => (await recruiter.call(getScorecard, { params: { id } })).criteria;
  const save = (criteria: Criterion[]) => recruiter.call(saveScorecard, { params: { id }, body: { criteria } });
  return { product, recruiter, id, find, save };
}

const CARE: Criterion = { key: 'care', label: 'Care', low: 'Rushes', middle: 'Listens', high: 'Explains' };

test("a funnel's expectations are its criteria; without any, there is one overall criterion", async () => {
  const { recruiter, id, find } = await setUp();
  expect(await find()).toMatchObject([{ key: 'overall', label: 'Overall' }]);
  const form = { name: 'Nurses', apiKey: 'key', funnelId: 'nurses' };
  const expectations = { skillExpectations: 'Lifts 20 kg\nDrives', cultureExpectations: 'Kind' };
  await recruiter.call(updateFunnel, { params: { id }, body: { ...form, ...expectations } });
  expect(await find()).toEqual([
    {
      key: 'skillExpectations',
      label: 'Skill Expectations',
      low: 'Not met',
      middle: 'Partly met',
      high: 'Lifts 20 kg Drives',
    },
    { key: 'cultureExpectations', label: 'Culture Expectations', low: 'Not met', middle: 'Partly met', high: 'Kind' },
  ]);
});

test('a saved scorecard replaces the default; each change adds a version and is logged once', async () => {
  const { product, recruiter, id, find, save } = await setUp();
  await save([CARE]);
  await save([CARE]);
  expect(await save([{ ...CARE, label: ' Caring ' }])).toEqual({ criteria: [{ ...CARE, label: 'Caring' }] });
  expect(await find()).toEqual([{ ...CARE, label: 'Caring' }]);
  const versions = await product.db.selectFrom('scorecard').select('version').orderBy('version').execute();
  expect(versions.map(({ version }) => version)).toEqual([1, 2]);
  const { logs } = await recruiter.call(listLogs, {});
  expect(logs.filter(({ action }) => action === 'update-scorecard')).toMatchObject([
    { summary: 'The scorecard of funnel "Nurses" was changed.', metadata: { funnelId: id, version: 2 } },
    { details: { criteria: ['Care'] }, metadata: { funnelId: id, version: 1 } },
  ]);
});

test('saving the default criteria makes a scorecard follow the expectations again', async () => {
  const { recruiter, id, find, save } = await setUp();
  const form = { name: 'Nurses', apiKey: 'key', funnelId: 'nurses' };
  const setExpectation = (cultureExpectations: string) =>
    recruiter.call(updateFunnel, { params: { id }, body: { ...form, cultureExpectations } });
  await setExpectation('Kind');
  const byDefault = await find();
  await save([CARE]);
  await setExpectation('Kind and calm');
  expect(await find()).toEqual([CARE]);
  await setExpectation('Kind');
  await save(byDefault);
  await setExpectation('Calm');
  expect(await find()).toMatchObject([{ key: 'cultureExpectations', high: 'Calm' }]);
  await save([CARE]);
  expect(await find()).toEqual([CARE]);
});

test('concurrent saves of a scorecard all succeed', async () => {
  const { product, save } = await setUp();
  await Promise.all(['a', 'b', 'c'].map((label) => save([{ ...CARE, label }])));
  const versions = await product.db.selectFrom('scorecard').select('version').orderBy('version').execute();
  expect(versions.map(({ version }) => version)).toEqual([1, 2, 3]);
});

test('a reviewer can read the scorecard but not change it', async () => {
  const { product, id } = await setUp();
  const reviewer = await signedInAs(product, { role: 'reviewer' });
  expect((await reviewer.call(getScorecard, { params: { id } })).criteria).toHaveLength(1);
  const saved = reviewer.call(saveScorecard, { params: { id }, body: { criteria: [CARE] } });
  expect((await refusal(saved)).status).toBe(403);
});
