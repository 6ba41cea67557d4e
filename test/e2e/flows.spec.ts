import type { Locator, Page } from '@playwright/test';
import type { Interview } from '#contracts/interviews.ts';
import type { InterviewReviews } from '#contracts/reviews.ts';
import type { TranscriptSegment } from '#contracts/transcripts.ts';
import { expect, STEP_TIMEOUT, test, toastOf } from './support/journey.ts';
import type { RunningProduct } from './support/product.ts';

/** The daily work of a recruiter, with the clicks and keys that it takes. */
test.beforeEach(({ signIn }) => signIn());

type ClickOptions = Parameters<Locator['click']>[0];

/** The player takes the focus a moment after it appears: an earlier key goes to the page below. */
const expectFocusIn = (page: Page, dialog: Locator) => expect(dialog.and(page.locator(':focus-within'))).toBeVisible();

/** Counts clicks and keys. */
function countedHand(page: Page) {
  const count = { clicks: 0, keys: 0 };
  return {
    count,
    click: async (target: Locator, options?: ClickOptions) => {
      count.clicks += 1;
      await target.click(options);
    },
    press: async (...keys: string[]) => {
      for (const key of keys) {
        count.keys += 1;
        await page.keyboard.press(key);
      }
    },
  };
}

/** Stores the 40 interviews of one funnel and returns them as the list shows them. */
async function fortyInterviews({ recruiter, sandbox }: RunningProduct) {
  const [engineering] = await recruiter.connect(sandbox.funnels[0]);
  if (engineering) await recruiter.refresh(engineering);
  return recruiter.interviews();
}

const countListed = async ({ recruiter }: RunningProduct) => (await recruiter.interviews()).length;

const boxes = (page: Page) => page.locator('[data-select]');
const bar = (page: Page) => page.locator('[data-bulk-bar]');
/** The boxes of cards appear when the pointer is over the card. */
const hidden: ClickOptions = { force: true };
const extended: ClickOptions = { force: true, modifiers: ['Shift'] };

/** Holds the code of the bulk bar back until the returned function is called. */
async function delayBulkBar(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/assets/bulk-bar-*.js', async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

test('15 unwatched interviews are reviewed with one click and a key each, and the queue is then empty', async ({
  page,
  product,
}) => {
  const interviews = await fortyInterviews(product);
  await product.sql(
    'INSERT INTO watched (account_id, interview_id) SELECT account.id, interview.id FROM account, interview WHERE interview.id <> ALL($1)',
    [interviews.slice(0, 15).map(({ id }) => id)],
  );
  const { click, press, count } = countedHand(page);
  await page.goto('/');
  const began = Date.now();
  await click(page.getByRole('button', { name: 'Review 15 unwatched' }));
  const dialog = page.getByRole('dialog');
  await expectFocusIn(page, dialog);
  for (const [place, { title }] of interviews.slice(0, 15).entries()) {
    await expect(dialog).toHaveAccessibleName(title);
    // Every third one is archived.
    await press(place % 3 === 2 ? 'e' : 'n');
  }
  await expect(dialog).toContainText('15 reviewed · 5 archived');
  test.info().annotations.push({ type: 'seconds', description: String((Date.now() - began) / 1000) });
  await press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('Showing 1 to 10 of 35 results')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Review/ })).toHaveCount(0);
  expect(count).toEqual({ clicks: 1, keys: 16 });
  await expect.poll(() => countListed(product)).toBe(35);
});

test('the answers of ten candidates to one question are played in a row with four keys to start and one each', async ({
  page,
  product,
}) => {
  const interviews = await fortyInterviews(product);
  const ten = interviews.filter(({ processingStatus }) => processingStatus.questions.length > 1).slice(0, 10);
  const ids = ten.map(({ id }) => id);
  await product.sql(
    'INSERT INTO watched (account_id, interview_id) SELECT account.id, interview.id FROM account, interview WHERE interview.id <> ALL($1)',
    [ids],
  );
  await product.sql(
    'INSERT INTO answer_start (interview_id, position, start_seconds) SELECT id, 1, 3 FROM interview WHERE id = ANY($1)',
    [ids],
  );
  const { click, press, count } = countedHand(page);
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Review 10 unwatched' })).toBeVisible();
  const began = Date.now();
  await press('a');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('10 unwatched interviews.');
  await dialog.getByRole('radio').first().focus();
  await press('ArrowDown', 'Enter');
  for (const [place, { title }] of ten.entries()) {
    await expect(dialog).toHaveAccessibleName(title);
    await expect(dialog).toContainText('Question 2:');
    const seconds = () =>
      dialog.locator('video').evaluate((video) => (video as unknown as { currentTime: number }).currentTime);
    if (ten[place]?.videoUrl) await expect.poll(seconds).toBeGreaterThanOrEqual(3);
    // Every third one is decided on.
    await press(place % 3 === 2 ? 'y' : 'n');
  }
  await expect(dialog).toContainText('10 answers to question 2 · 3 reviewed');
  await expect(dialog.getByRole('list', { name: 'My reviews' }).getByRole('listitem')).toHaveCount(3);
  test.info().annotations.push({ type: 'seconds', description: String((Date.now() - began) / 1000) });
  await click(dialog.getByRole('button', { name: 'Back to the list' }));
  await expect(page.getByRole('button', { name: 'Review 7 unwatched' })).toBeVisible();
  expect(count).toEqual({ clicks: 1, keys: 13 });
});

test('ten interviews are rated by two criteria and recommended with one click and four keys each', async ({
  page,
  product,
}) => {
  const ten = (await fortyInterviews(product)).slice(0, 10);
  await product.sql(
    'INSERT INTO watched (account_id, interview_id) SELECT account.id, interview.id FROM account, interview WHERE interview.id <> ALL($1)',
    [ten.map(({ id }) => id)],
  );
  const criteria = ['Skills', 'Culture'].map((label) => ({ key: label, label, low: '', middle: '', high: '' }));
  await product.recruiter.call('PUT', `/api/funnels/${ten[0]?.funnelIdNum}/scorecard`, { criteria });
  const { click, press, count } = countedHand(page);
  await page.goto('/');
  const began = Date.now();
  await click(page.getByRole('button', { name: 'Review 10 unwatched' }));
  const dialog = page.getByRole('dialog');
  const firstRating = dialog.getByRole('group', { name: 'Skills' }).getByRole('radio').first();
  await expect(dialog).toHaveAccessibleName(ten[0]?.title ?? '');
  await expectFocusIn(page, dialog);
  await press('r');
  for (const { title } of ten) {
    await expect(dialog).toHaveAccessibleName(title);
    await expect(firstRating).toBeFocused();
    await press('4', 'Tab', '5', 'y');
  }
  await expect(dialog).toContainText('10 reviewed');
  await expect(dialog.getByRole('list', { name: 'My reviews' }).getByRole('listitem')).toHaveCount(10);
  test.info().annotations.push({ type: 'seconds', description: String((Date.now() - began) / 1000) });
  expect(count).toEqual({ clicks: 1, keys: 41 });
  const stored = async () =>
    (await product.recruiter.call<InterviewReviews>('GET', `/api/interviews/${ten[9]?.id}/reviews`)).mine?.content;
  await expect.poll(stored).toMatchObject({ ratings: { Skills: 4, Culture: 5 }, recommendation: 3 });
});

test('ten interviews are converted, transcribed and summarized with four clicks, one of them an answer', async ({
  page,
  product,
}) => {
  await fortyInterviews(product);
  const { click, count } = countedHand(page);
  await page.goto('/');
  await click(boxes(page).first(), hidden);
  await click(boxes(page).nth(9), extended);
  await click(bar(page).getByRole('button', { name: 'Process', exact: true }));
  await click(page.getByRole('alertdialog').getByRole('button', { name: 'Process 10' }));
  await expect(bar(page)).toContainText(/Process: \d+ of 10 done/);
  expect(count).toEqual({ clicks: 4, keys: 0 });
});

test('20 interviews of two pages are archived with five clicks, and one Undo restores them', async ({
  page,
  product,
}) => {
  const interviews = await fortyInterviews(product);
  const { click, count } = countedHand(page);
  await page.goto('/');
  await click(boxes(page).first(), hidden);
  // The bar moves what is below it.
  await expect(page.getByRole('region', { name: '1 selected' })).toBeVisible();
  await click(page.getByRole('button', { name: 'Next page' }));
  await expect(page.getByText('Showing 11 to 20 of 40 results')).toBeVisible();
  // The cards follow a moment after the text.
  await expect(boxes(page).last()).toHaveAttribute('data-select', interviews[19]?.id ?? '');
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await click(boxes(page).last(), extended);
  await expect(page.getByRole('region', { name: '20 selected' })).toBeVisible();
  await click(bar(page).getByRole('button', { name: 'Archive', exact: true }));
  await click(page.getByRole('alertdialog').getByRole('button', { name: 'Archive 20' }));
  await expect.poll(() => countListed(product)).toBe(20);
  expect(count).toEqual({ clicks: 5, keys: 0 });
  // In the toast or in the bar.
  await click(page.getByRole('button', { name: 'Undo' }).first());
  await expect.poll(() => countListed(product)).toBe(40);
});

test('what was said is found with one search and played with one click', async ({ page, product }) => {
  const interview = (await fortyInterviews(product)).find(({ videoUrl }) => videoUrl);
  const { text, startSeconds } = await transcribe(product, interview?.id ?? '');
  // In another order than in the sentence.
  const words = (text.match(/[a-z]{6,}/gi) ?? []).slice(0, 2).reverse().join(' ');
  const { click, press, count } = countedHand(page);
  await page.goto('/');
  await expect(boxes(page)).toHaveCount(10);
  await press('/', ...words);
  await expect(page.getByRole('article')).toHaveCount(1);
  await click(
    page
      .getByRole('article')
      .getByRole('button')
      .filter({ has: page.locator('mark') }),
  );
  const dialog = page.getByRole('dialog', { name: interview?.title ?? '' });
  await expect(dialog.getByRole('searchbox', { name: 'Search the transcript' })).toHaveValue(words);
  await expect(dialog.getByRole('region', { name: 'Transcript' }).getByRole('status')).toHaveText(/^1 of \d+$/);
  const seconds = () =>
    dialog.locator('video').evaluate((video) => (video as unknown as { currentTime: number }).currentTime);
  await expect.poll(seconds).toBeGreaterThanOrEqual(Math.floor(startSeconds));
  expect(count).toEqual({ clicks: 1, keys: 1 + words.length });
});

/** Transcribes an interview and returns its second sentence. */
async function transcribe({ recruiter }: RunningProduct, id: string): Promise<TranscriptSegment> {
  const path = `/api/interviews/${id}`;
  await recruiter.call('POST', `${path}/transcribe`);
  const isDone = async () => (await recruiter.call<Interview>('GET', path)).transcriptionStatus === 'completed';
  await expect.poll(isDone, STEP_TIMEOUT).toBe(true);
  const { segments } = await recruiter.call<{ segments: TranscriptSegment[] }>('GET', `${path}/transcript`);
  if (!segments[1]) throw new Error('The transcript has one sentence only.');
  return segments[1];
}

test('failed steps are retried with one click', async ({ page, product }) => {
  const [first] = await fortyInterviews(product);
  await product.sql("UPDATE interview SET youtube_status = 'failed' WHERE id = $1", [first?.id]);
  const { click, count } = countedHand(page);
  await page.goto('/');
  await click(page.getByRole('region', { name: 'Failed steps' }).getByRole('button', { name: 'Retry all' }));
  await expect(toastOf(page)).toContainText('1 interview recovered', STEP_TIMEOUT);
  expect(count).toEqual({ clicks: 1, keys: 0 });
});

test('the keyboard alone selects interviews, chooses a funnel, and goes to a screen from the palette', async ({
  page,
  twoFunnels: _,
}) => {
  const { press } = countedHand(page);
  await page.goto('/');
  await expect(boxes(page)).toHaveCount(10);
  await press('ArrowDown', 'x', 'Shift+ArrowRight');
  await expect(page.getByRole('region', { name: '2 selected' })).toBeVisible();
  await press('Escape');
  await expect(bar(page)).toHaveCount(0);

  await page.getByRole('button', { name: /^Funnels: / }).focus();
  await press('Enter');
  await expect(page.getByRole('searchbox', { name: 'Search funnels...' })).toBeFocused();
  await press(...'ware', 'Enter', 'Escape');
  await expect(page.getByRole('button', { name: /^Funnels: Warehouse/ })).toBeFocused();
  await expect(page.getByRole('article')).toHaveCount(4);

  await press('Control+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await press(...'logs', 'Enter');
  await expect(page.getByRole('heading', { name: 'System Logs' })).toBeVisible();
});

test('a key that is pressed while the bulk bar loads acts once the bar is ready', async ({ page, product }) => {
  await fortyInterviews(product);
  const load = await delayBulkBar(page);
  await page.goto('/');
  await boxes(page).first().check(hidden);
  await page.keyboard.press('e');
  load();
  await expect.poll(() => countListed(product)).toBe(39);
});

test('a key that is pressed while the bulk bar loads does not act on another selection', async ({ page, product }) => {
  await fortyInterviews(product);
  const load = await delayBulkBar(page);
  await page.goto('/');
  await boxes(page).first().check(hidden);
  await page.keyboard.press('e');
  await boxes(page).nth(1).check(hidden);
  load();
  await expect(bar(page)).toContainText('2 selected');
  await expect(bar(page).getByRole('button', { name: 'Archive', exact: true })).toBeEnabled();
  expect(await countListed(product)).toBe(40);
});
