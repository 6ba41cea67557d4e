import { cardOf, expect, expectToast, recordToasts, STEP_TIMEOUT, test } from './support/journey.ts';
import type { RunningProduct } from './support/product.ts';

test('an interview goes from New through Processing and Pending to Sent, live in two browsers', async ({
  page,
  product,
  secondBrowser,
  signIn,
}) => {
  const { sandbox } = product;
  await signIn();
  const interview = await freshInterview(product);
  const other = await secondBrowser();
  const [toasts, otherToasts] = [await recordToasts(page), await recordToasts(other)];
  await Promise.all([page.goto('/'), other.goto('/')]);
  const [here, there] = [cardOf(page, interview.title), cardOf(other, interview.title)];
  const badge = (card: typeof here, name: string) => card.getByText(name, { exact: true });
  await expect(badge(here, 'New')).toBeVisible();
  await expect(badge(there, 'New')).toBeVisible();

  const slow = sandbox.control.fail({ kind: 'latency', ms: 400, on: 'google' });
  await here.getByRole('button', { name: 'Convert to YouTube' }).click();
  await expect(badge(here, 'Processing')).toBeVisible();
  await expect(badge(there, 'Processing')).toBeVisible();
  await expect(there.getByRole('button', { name: /^Converting \(\d+%\)$/ })).toBeVisible();
  await expect(there.getByRole('button', { name: /^Converting \([1-9]\d*%\)$/ })).toBeVisible();
  slow.stop();
  await expect(there.getByRole('link', { name: 'View on YouTube' })).toBeVisible(STEP_TIMEOUT);
  // Checked before the next action, whose toast replaces it.
  await expectToast(other, 'Conversion Completed');
  await expect(badge(there, 'Pending')).toBeVisible();
  await expect(badge(there, 'New')).toBeHidden();

  await there.getByRole('tab', { name: 'Summary' }).click();
  await there.getByRole('button', { name: 'Generate Summary' }).click();
  await expect(there.getByRole('button', { name: 'View Summary' })).toBeVisible(STEP_TIMEOUT);
  await here.getByRole('tab', { name: 'Transcript' }).click();
  await here.getByRole('button', { name: 'View Transcript' }).click();
  const transcript = page.getByRole('dialog', { name: 'Transcript' });
  await transcript.getByRole('button', { name: 'Edit' }).click();
  const text = transcript.getByRole('textbox', { name: 'Transcript text' });
  await expect(text).toHaveValue(/shift/);
  await text.fill(`${await text.inputValue()} Corrected.`);
  await transcript.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Transcript Updated');
  await here.getByRole('tab', { name: 'Summary' }).click();
  await here.getByRole('button', { name: 'View Summary' }).click();
  const summary = page.getByRole('dialog', { name: 'Summary' });
  await expect(summary.getByRole('heading', { name: 'Overview' })).toBeVisible();
  await summary.getByRole('button', { name: 'Edit' }).click();
  await summary.getByRole('textbox', { name: 'Overview' }).fill('Leads a safe shift.');
  await summary.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Summary Updated');

  await here.getByRole('tab', { name: 'Destination' }).click();
  await here.getByRole('button', { name: 'Set Destination' }).click();
  const destination = page.getByRole('dialog', { name: 'Set Destination' });
  await destination.getByLabel('Employer ID').fill('ACME');
  await destination.getByLabel('Job ID').fill('2026-07');
  await destination.getByRole('button', { name: 'Set Destination' }).click();
  await expect(badge(here, 'Sent')).toBeVisible();
  const [application] = await Promise.all([
    page.waitForEvent('popup'),
    here.getByRole('link', { name: 'View Application' }).click(),
  ]);
  await expect(application.getByText('2026-07').first()).toBeVisible();
  await application.close();

  for (const [recorded, titles] of [
    [toasts, ['Conversion Started', 'Conversion Completed', 'Transcription Completed', 'Summary Completed']],
    [otherToasts, ['Conversion Completed', 'Summary Generation Started', 'Summary Completed']],
  ] as const) {
    const seen = await recorded();
    for (const title of titles)
      expect(
        seen.some((toast) => toast.startsWith(title)),
        title,
      ).toBe(true);
  }
});

test('the player shows the transcript next to the video, follows it, seeks on click, and has captions', async ({
  page,
  product,
  signIn,
}) => {
  await signIn();
  const interview = await freshInterview(product);
  await page.goto('/');
  const card = cardOf(page, interview.title);
  await card.getByRole('tab', { name: 'Transcript' }).click();
  await card.getByRole('button', { name: 'Generate Transcript' }).click();
  await expect(card.getByRole('button', { name: 'View Transcript' })).toBeVisible(STEP_TIMEOUT);
  await card.getByRole('button', { name: /^Play/ }).click();
  const lines = page.getByRole('region', { name: 'Transcript' }).getByRole('button', { name: /^\d+:\d\d/ });
  await expect(lines.nth(1)).toBeVisible();
  await lines.nth(1).click();
  await expect(lines.nth(1)).toHaveAttribute('aria-current', 'true');
  const cues = await page.evaluate<number>(`(async () => {
    const element = document.querySelector('video track[kind=captions]');
    element.track.mode = 'showing';
    if (!element.track.cues?.length) await new Promise((loaded) => element.addEventListener('load', loaded));
    return element.track.cues.length;
  })()`);
  expect(cues).toBeGreaterThan(1);
  // Captions stay on for the next time.
  await page.keyboard.press('Escape');
  await card.getByRole('button', { name: /^Play/ }).click();
  await expect.poll(() => page.evaluate("document.querySelector('video')?.textTracks[0]?.mode")).toBe('showing');
  await page.getByRole('searchbox', { name: 'Search the transcript' }).fill('shift');
  await expect(page.getByRole('region', { name: 'Transcript' }).getByRole('status')).toHaveText(/^1 of \d+$/);
});

/** Returns the newest interview of a newly refreshed funnel. */
async function freshInterview({ recruiter, sandbox }: RunningProduct) {
  const [warehouse] = await recruiter.connect(sandbox.funnels[3]);
  if (warehouse) await recruiter.refresh(warehouse);
  const [interview] = await recruiter.interviews();
  if (!interview) throw new Error('The refresh stored no interviews.');
  return interview;
}
