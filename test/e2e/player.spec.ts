import type { Locator, Page } from '@playwright/test';
import type { Interview } from '#contracts/interviews.ts';
import { EDGE_CASES } from '#sandbox/interviews/edge-cases.ts';
import { cardOf, expect, expectToast, test } from './support/journey.ts';
import type { RunningProduct } from './support/product.ts';

test.describe.configure({ mode: 'parallel' });

/** The properties of a `video` element that the journeys read. */
interface VideoElement {
  currentTime: number;
  duration: number;
  paused: boolean;
  src: string;
  disablePictureInPicture: boolean;
}

const read = <Key extends keyof VideoElement>(video: Locator, key: Key) =>
  video.evaluate((element, name) => (element as unknown as VideoElement)[name as Key], key as string);

async function teamLeads({ recruiter, sandbox }: RunningProduct): Promise<Interview> {
  const [warehouse] = await recruiter.connect(sandbox.funnels[3]);
  if (warehouse) await recruiter.refresh(warehouse);
  const [first] = await recruiter.interviews();
  if (!first) throw new Error('The refresh brought no interviews.');
  return first;
}

async function play(page: Page, { title }: { title: string }): Promise<Locator> {
  await cardOf(page, title)
    .getByRole('button', { name: /^Play / })
    .click();
  const video = page.getByRole('dialog', { name: title }).locator('video');
  await expect(video).toBeVisible();
  return video;
}

test.beforeEach(({ signIn }) => signIn());

test('a video plays, seeks by range requests, and is paused and reset when closed', async ({ page, product }) => {
  const interview = await teamLeads(product);
  await page.goto('/');
  const ranges: number[] = [];
  page.on('response', (response) => response.url().includes('/api/files/video/') && ranges.push(response.status()));
  const video = await play(page, interview);
  await expect(page.getByRole('dialog')).toContainText(`${interview.candidateName} · ${interview.candidateEmail}`);
  await expect.poll(() => read(video, 'currentTime')).toBeGreaterThan(0.2);
  expect(new URL(await read(video, 'src')).pathname).toBe(`/api/files/video/${interview.videoFile}`);
  expect(ranges).toContain(206);

  await page.getByRole('button', { name: '10 s forward' }).click();
  await expect.poll(() => read(video, 'currentTime')).toBeGreaterThan(10.2);
  await page.getByRole('button', { name: '10 s back' }).click();
  await expect.poll(() => read(video, 'currentTime')).toBeLessThan(10);
  await page.getByLabel('Speed').selectOption('2×');
  expect(await video.evaluate((element) => (element as unknown as { playbackRate: number }).playbackRate)).toBe(2);

  const element = await video.elementHandle();
  await page.keyboard.press('Escape');
  await expect(video).toHaveCount(0);
  const closed = await element?.evaluate((gone) => {
    const { paused, currentTime, src } = gone as unknown as VideoElement;
    return { paused, currentTime, src };
  });
  expect(closed).toEqual({ paused: true, currentTime: 0, src: '' });
  await expect(cardOf(page, interview.title).getByRole('button', { name: /^Play / })).toBeFocused();
});

test('the keyboard alone reviews what is unwatched, and a reload and Back keep the place', async ({
  page,
  product,
}) => {
  const interview = await teamLeads(product);
  await page.goto('/');
  const review = page.getByRole('button', { name: /^Review \d+ new$/ });
  const total = Number((await review.textContent())?.match(/\d+/)?.[0]);
  await review.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(`1 of ${total}`);
  await expect(dialog.getByText(/^about \d+ min at 1×$/)).toBeVisible();
  await expect(dialog.locator('video')).toBeVisible();
  await page.keyboard.press('>');
  await expect(dialog.getByLabel('Speed')).toHaveValue('1.25');
  await page.keyboard.press('n');
  await expect(dialog).toContainText(`2 of ${total}`);
  await page.keyboard.press('e');
  await expectToast(page, 'Interview Archived');
  await expect(dialog).toContainText(`2 of ${total - 1}`);
  await page.keyboard.press('?');
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(shortcuts).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(shortcuts).toHaveCount(0);
  await page.keyboard.press('p');
  await expect(page.getByRole('dialog', { name: interview.title })).toContainText(`1 of ${total - 1}`);
  await page.reload();
  await expect(page.getByRole('dialog', { name: interview.title })).toContainText(`1 of ${total - 1}`);
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  expect(new URL(page.url()).search).toBe('?unwatched=1');
});

test('when the video loads with a stored duration of 0, its length is saved and the card shows it', async ({
  page,
  product,
}) => {
  const { recruiter, sandbox } = product;
  const oldestFirst = sandbox.control
    .interviews('customer-support')
    .sort((a, b) => (a.createdAt ?? '').localeCompare(b.createdAt ?? ''));
  const wanted = oldestFirst[EDGE_CASES.noDurationSupport?.at ?? 0];
  const [support] = await recruiter.connect(sandbox.funnels[1]);
  // The download fails, so the server cannot measure it. The browser plays the remote address.
  sandbox.control.fail({ kind: 'status', status: 404, on: 'media', path: `/media/videos/${wanted?.id}/*` });
  if (support) await recruiter.refresh(support);
  sandbox.control.clearFaults();

  await page.goto(`/?search=${wanted?.id}`);
  const card = cardOf(page, wanted?.title ?? '');
  await expect(card).toContainText('Duration: 0:00');
  const video = await play(page, { title: wanted?.title ?? '' });
  await expect.poll(() => read(video, 'currentTime')).toBeGreaterThan(0.2);
  expect(await read(video, 'src')).toContain(sandbox.url);
  const seconds = Math.round(await read(video, 'duration'));
  const shown = `Duration: ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  await page.keyboard.press('Escape');
  await expect(card).toContainText(shown);
  await page.reload();
  await expect(card).toContainText(shown);
});

test('the Edit tab shows four tools and two versions, and each only announces that it will be implemented', async ({
  page,
  product,
}) => {
  const interview = await teamLeads(product);
  // The height is not measured while the dialog grows.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/');
  await play(page, interview);
  const dialog = page.getByRole('dialog', { name: interview.title });
  const heightOf = async () => Math.round((await dialog.boundingBox())?.height ?? 0);
  const height = await heightOf();
  await dialog.getByRole('tab', { name: 'Edit' }).click();
  await expect(dialog.locator('video')).toHaveCount(0);
  expect(await heightOf(), 'the height of the dialog').toBe(height);
  for (const tool of ['Rotate', 'Remove Silence', 'Watermark', 'Extract Audio']) {
    await dialog.getByRole('button', { name: tool }).click();
    await expect(dialog.getByRole('alert')).toHaveText(`${tool} will be implemented soon`);
  }
  await expect(dialog.getByRole('radio')).toHaveCount(2);
  await expect(dialog.getByRole('radio', { name: /^Original/ })).toBeChecked();
  await dialog.getByText('Rotated 90° · Silence removed · Watermark added').click();
  await expect(dialog.getByRole('alert')).toHaveText('Switching to another version will be implemented soon');
  await expect(dialog.getByRole('radio', { name: /^Original/ })).toBeChecked();
  await dialog.getByRole('tab', { name: 'View' }).click();
  await expect(dialog.locator('video')).toBeVisible();
});
