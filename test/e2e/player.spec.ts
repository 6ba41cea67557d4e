import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { Interview } from '#contracts/interviews.ts';
import { EDGE_CASES } from '#sandbox/interviews/edge-cases.ts';
import { localFileStore } from '#server/adapters/file-store-local/local-file-store.ts';
import { mediabunnyRecordings } from '#server/adapters/recordings-mediabunny/mediabunny-recordings.ts';
import { cardOf, expect, expectToast, test } from './support/journey.ts';
import { CREDENTIALS, type RunningProduct } from './support/product.ts';

test.describe.configure({ mode: 'parallel' });

/** The properties of a `video` element that the journeys read. */
interface VideoElement {
  currentTime: number;
  duration: number;
  paused: boolean;
  src: string;
  playbackRate: number;
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
  expect(await read(video, 'playbackRate')).toBe(2);

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
  const review = page.getByRole('button', { name: /^Review \d+ unwatched$/ });
  const total = Number((await review.textContent())?.match(/\d+/)?.[0]);
  await review.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(`1 of ${total}`);
  await expect(dialog.getByText(/^\d+ min left$/)).toBeVisible();
  await expect(dialog.locator('video')).toBeVisible();
  await page.keyboard.press('>');
  await expect(dialog.getByLabel('Speed')).toHaveValue('1.25');
  for (const filling of ['DIV', undefined]) {
    await page.keyboard.press('f');
    await expect.poll(() => page.evaluate('document.fullscreenElement?.tagName')).toBe(filling);
  }
  // Escape closes the list of speeds, not the player.
  await dialog.getByLabel('Speed').focus();
  await page.keyboard.press('Enter');
  await expect(dialog.locator('select:open')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(dialog.locator('select:open')).toHaveCount(0);
  await expect(dialog.locator('video')).toBeVisible();
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
  // The focus returns a moment after the dialog has closed.
  await expect(dialog).toBeFocused();
  await page.keyboard.press('p');
  await expect(page.getByRole('dialog', { name: interview.title })).toContainText(`1 of ${total - 1}`);
  await page.reload();
  await expect(page.getByRole('dialog', { name: interview.title })).toContainText(`1 of ${total - 1}`);
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  // The filter of the review ends with it.
  expect(new URL(page.url()).search).toBe('');
});

test('the next video is loaded in advance while the current one plays, and counts as played only after N', async ({
  page,
  context,
  product,
}) => {
  await teamLeads(product);
  const [first, second] = (await product.recruiter.interviews()) as [Interview, Interview];
  // Journeys share the recordings, and the server remembers for 30 minutes who has viewed them.
  await product.sql('DELETE FROM log_entry');
  await product.sql("INSERT INTO account (username, password_hash) SELECT 'viewer', password_hash FROM account");
  await context.clearCookies();
  await page.request.post('/api/login', { data: { ...CREDENTIALS, username: 'viewer' } });
  const logs = await context.newPage();
  const entry = (interview: Interview, what: 'Opened' | 'Played') =>
    logs.getByRole('row').filter({ hasText: `${what} the recording of "${interview.title}".` });
  const expectEntries = (...entries: Locator[]) =>
    expect(async () => {
      await logs.goto('/system-logs?views=true');
      for (const one of entries) await expect(one).toHaveCount(1, { timeout: 2_000 });
    }).toPass();

  const starts: string[] = [];
  page.on('request', (request) => {
    if (request.headers().range === 'bytes=0-') starts.push(new URL(request.url()).pathname);
  });
  await page.goto('/');
  await page.bringToFront();
  const video = await play(page, first);
  await expect.poll(() => read(video, 'currentTime')).toBeGreaterThan(0.2);
  const file = `/api/files/video/${second.videoFile}`;
  await expect.poll(() => starts).toContain(file);
  await expectEntries(entry(first, 'Opened'), entry(first, 'Played'), entry(second, 'Opened'));
  await expect(entry(second, 'Played')).toHaveCount(0);

  await page.bringToFront();
  await page.keyboard.press('n');
  const next = page.getByRole('dialog', { name: second.title }).locator('video');
  await expect.poll(() => read(next, 'currentTime')).toBeGreaterThan(0.2);
  // The player used the bytes that were there, and requested only the rest.
  expect(starts.filter((path) => path === file)).toHaveLength(1);
  await expectEntries(entry(first, 'Played'), entry(second, 'Opened'), entry(second, 'Played'));
  await product.sql("DELETE FROM account WHERE username = 'viewer'");
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
  // The download fails, so the server cannot measure it. The browser plays the remote URL.
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

/**
 * Plays for three seconds and returns what interrupted it, and the longest time between two
 * pictures.
 */
const playedPictures = (video: Locator) =>
  video.evaluate(async (element) => {
    const shown = element as unknown as {
      requestVideoFrameCallback(onFrame: (now: number, frame: { mediaTime: number }) => void): void;
      addEventListener(name: string, listener: () => void): void;
      play(): Promise<void>;
    };
    const events: string[] = [];
    const times: number[] = [];
    const note = (_now: number, { mediaTime }: { mediaTime: number }) => {
      times.push(mediaTime);
      shown.requestVideoFrameCallback(note);
    };
    await shown.play();
    shown.requestVideoFrameCallback(note);
    for (const name of ['waiting', 'error', 'ended']) shown.addEventListener(name, () => events.push(name));
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    return { events, longestGap: Math.max(...gaps), first: times[0] ?? 0, last: times.at(-1) ?? 0 };
  });

test('answers that were joined play without a gap where the next one starts, and are chapters', async ({
  page,
  product,
}) => {
  const { id, title, videoFile } = await teamLeads(product);
  const folder = join(product.dataDir, 'files');
  const answer = videoFile ?? '';
  const recordings = mediabunnyRecordings({ files: await localFileStore(folder) });
  const outcome = await recordings.join([answer, answer], 'joined', AbortSignal.timeout(20_000));
  if (outcome.status !== 'joined') throw new Error(outcome.reason);
  await rename(join(folder, 'videos', outcome.name), join(folder, 'videos', answer));
  const [, boundary = 0] = outcome.startSeconds;
  await product.sql(
    `INSERT INTO interview_segment (interview_id, position, source_id, question, duration_seconds, start_seconds)
     VALUES ($1, 0, 'a', 'Why us?', $2, 0), ($1, 1, 'b', 'When?', $2, $2)`,
    [id, boundary],
  );
  const questions = ['Why us?', 'When?'].map((question, position) => ({ position, question }));
  await product.sql('UPDATE interview SET questions = $2 WHERE id = $1', [id, JSON.stringify(questions)]);

  await page.goto('/');
  const video = await play(page, { title });
  await expect.poll(() => read(video, 'duration')).toBeCloseTo(2 * boundary, 0);
  // The seek bar has a chapter for each answer once their starts have arrived.
  const seek = page.getByRole('slider', { name: 'Seek' });
  await expect(seek).toHaveAttribute('aria-valuetext', /, 1\. Why us\?/);
  await page.keyboard.press('2');
  await expect.poll(() => read(video, 'currentTime')).toBeGreaterThanOrEqual(boundary);
  await expect(seek).toHaveAttribute('aria-valuetext', /, 2\. When\?/);
  // On a busy machine the video can stall once. A gap in the file would stall it every time.
  await expect(async () => {
    await video.evaluate((element, seconds) => {
      (element as unknown as { currentTime: number }).currentTime = seconds;
    }, boundary - 1);
    const pictures = await playedPictures(video);
    expect(pictures.first).toBeLessThan(boundary);
    expect(pictures.last).toBeGreaterThan(boundary + 0.5);
    expect(pictures.events).toEqual([]);
    expect(pictures.longestGap).toBeLessThan(0.5);
  }).toPass({ timeout: 60_000 });
});

test('answers in separate recordings all play at the selected speed', async ({ page, product }) => {
  const { id, videoFile, duration } = await teamLeads(product);
  await product.sql(
    `INSERT INTO interview_segment (interview_id, position, source_id, question, duration_seconds, video_file)
     VALUES ($1, 0, 'a', 'Why us?', $2, $3), ($1, 1, 'b', 'When?', $2, $3)`,
    [id, duration, videoFile],
  );
  await product.sql('UPDATE interview SET video_file = NULL, video_url = NULL WHERE id = $1', [id]);
  await page.goto(`/?interview=${id}`);
  const video = page.getByRole('dialog').locator('video');
  await page.getByLabel('Speed').selectOption('2×');
  await expect.poll(() => read(video, 'duration')).toBe(2 * duration);
  await page.getByRole('slider', { name: 'Seek' }).fill(String(duration - 1));
  await expect.poll(() => read(video, 'currentTime')).toBeGreaterThan(duration + 0.2);
  expect(await read(video, 'playbackRate')).toBe(2);
});

test('a key that shows something outside the video leaves full screen', async ({ page, product }) => {
  const interview = await teamLeads(product);
  await product.sql("UPDATE interview SET youtube_id = 'a', transcription_status = 'completed' WHERE id = $1", [
    interview.id,
  ]);
  await product.recruiter.call('PUT', `/api/interviews/${interview.id}/summary`, { summaryText: 'Plans ahead.' });
  const open = async () => {
    await page.goto('/');
    await play(page, interview);
  };
  const fullScreen = () => page.evaluate('document.fullscreenElement?.tagName');
  const pressInFullScreen = async (key: string) => {
    await page.keyboard.press('f');
    await expect.poll(fullScreen).toBe('DIV');
    await page.keyboard.press(key);
    await expect.poll(fullScreen, key).toBeUndefined();
  };
  for (const [key, name] of [
    ['?', 'Keyboard shortcuts'],
    ['d', /destination/i],
  ] as const) {
    await open();
    await pressInFullScreen(key);
    await expect(page.getByRole('dialog', { name }).locator(':focus')).toHaveCount(1);
  }
  await open();
  await pressInFullScreen('s');
  await expect(page.getByRole('tab', { name: 'Summary' })).toHaveAttribute('aria-selected', 'true');
  await pressInFullScreen('r');
  await expect(page.getByRole('button', { name: 'Review with scorecard' })).toHaveAttribute('aria-expanded', 'true');
  await pressInFullScreen('h');
  await expect(page.getByRole('dialog', { name: 'Share 1 candidate' })).toBeVisible();
});
