import type { Locator } from '@playwright/test';
import type { Interview } from '#contracts/interviews.ts';
import { cardOf, expect, expectToast, STEP_TIMEOUT, test } from './support/journey.ts';
import type { RunningProduct } from './support/product.ts';

test.describe.configure({ mode: 'parallel' });

async function teamLeads({ recruiter, sandbox }: RunningProduct): Promise<Interview> {
  const [warehouse] = await recruiter.connect(sandbox.funnels[3]);
  if (warehouse) await recruiter.refresh(warehouse);
  const [first] = await recruiter.interviews();
  if (!first) throw new Error('The refresh stored no interviews.');
  return first;
}

/** An interview with a video on YouTube, a transcript and a summary. */
async function readyInterview(product: RunningProduct): Promise<Interview> {
  const interview = await teamLeads(product);
  const path = `/api/interviews/${interview.id}`;
  await product.recruiter.call('PUT', `${path}/transcript`, {
    transcriptionText: 'I plan the shift on the evening before.',
  });
  await product.recruiter.call('PUT', `${path}/summary`, { summaryText: 'Plans ahead.' });
  await product.sql("UPDATE interview SET youtube_id = 'abc123', youtube_status = 'completed' WHERE id = $1", [
    interview.id,
  ]);
  return interview;
}

async function openTab(card: Locator, tab: string, button: string): Promise<void> {
  await card.getByRole('tab', { name: tab }).click();
  await card.getByRole('button', { name: button }).click();
}

test.beforeEach(({ signIn }) => signIn());

test('Scores shows Coming soon, a destination needs all steps, and a step that cannot start shows the reason', async ({
  page,
  product,
  console,
}) => {
  const { id, title } = await teamLeads(product);
  await page.goto('/');
  const card = cardOf(page, title);
  await openTab(card, 'Scores', 'View Scores');
  await expectToast(page, 'Coming soon');
  await card.getByRole('tab', { name: 'Destination' }).click();
  await expect(card.getByRole('button', { name: 'Set Destination' })).toBeDisabled();

  await card.getByRole('tab', { name: 'YouTube' }).click();
  // The page does not know that a colleague has converted the video.
  await product.sql("UPDATE interview SET youtube_id = 'abc123', youtube_status = 'completed' WHERE id = $1", [id]);
  console.allow(409, '/convert');
  await card.getByRole('button', { name: 'Convert to YouTube' }).click();
  await expectToast(page, 'Conversion Failed', 'This video is already on YouTube.');
});

test('transcript and summary are read, edited and never saved empty; unsaved changes ask first', async ({
  page,
  product,
}) => {
  const { title } = await readyInterview(product);
  await page.goto('/');
  await openTab(cardOf(page, title), 'Transcript', 'View Transcript');
  const dialog = page.getByRole('dialog', { name: 'Transcript' });
  await expect(dialog).toContainText('I plan the shift on the evening before.');
  await dialog.getByRole('button', { name: 'Edit' }).click();
  const text = dialog.getByRole('textbox', { name: 'Transcript text' });
  await text.fill('   ');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Validation Error', 'Transcript text cannot be empty');
  await expect(text).toBeFocused();
  await text.fill('I plan the shift the evening before.\nThen I sleep.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Transcript Updated');
  await expect(dialog).toBeHidden();
  await expect(cardOf(page, title).getByRole('button', { name: 'View Transcript' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('Then I sleep.');
  await page.keyboard.press('Escape');

  await openTab(cardOf(page, title), 'Summary', 'View Summary');
  const summary = page.getByRole('dialog', { name: 'Summary' });
  await summary.getByRole('button', { name: 'Edit' }).click();
  const summaryText = summary.getByRole('textbox', { name: 'Summary text' });
  await summaryText.fill('');
  await summary.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Validation Error', 'Summary text cannot be empty');
  await summaryText.fill('Plans ahead and sleeps well.');
  await summary.getByRole('button', { name: 'Cancel' }).click();
  const question = page.getByRole('alertdialog', { name: 'Discard changes?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await summary.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Summary Updated');
});

test('a converted video opens on YouTube, and a destination with both ids makes the interview Sent', async ({
  page,
  product,
}) => {
  const interview = await readyInterview(product);
  await page.goto('/');
  const card = cardOf(page, interview.title);
  const video = card.getByRole('link', { name: 'View on YouTube' });
  await expect(video).toHaveAttribute('href', 'https://www.youtube.com/watch?v=abc123');
  await expect(video).toHaveAttribute('target', '_blank');
  await expect(card.getByText('Pending', { exact: true })).toBeVisible();

  await openTab(card, 'Destination', 'Set Destination');
  const dialog = page.getByRole('dialog', { name: 'Set Destination' });
  await dialog.getByLabel('Employer ID').fill('  ');
  await dialog.getByRole('tab', { name: 'Additional Notes' }).click();
  await dialog.getByRole('textbox', { name: 'Notes' }).fill('  Please call after 5 pm. ');
  await dialog.getByRole('button', { name: 'Set Destination' }).click();
  await expectToast(page, 'Validation Error', 'Both Employer ID and Job ID are required');
  await dialog.getByLabel('Employer ID').fill(' ACME ');
  await dialog.getByLabel('Job ID').fill('2026-07');
  await expect(dialog).toContainText('Will be saved as BUB-ACME-2026-07');
  await dialog.getByRole('button', { name: 'Set Destination' }).click();
  await expectToast(page, 'Destination Updated');
  await expect(dialog).toBeHidden();
  await expect(card.getByText('Sent', { exact: true })).toBeVisible();
  await expect(card.getByRole('link', { name: 'View Application' })).toHaveAttribute('target', '_blank');
  expect((await product.recruiter.interviews())[0]).toMatchObject({
    destinationId: 'BUB-ACME-2026-07',
    processingStatus: { destination: { notes: 'Please call after 5 pm.' } },
  });

  await card.getByRole('button', { name: 'Update' }).click();
  const update = page.getByRole('dialog', { name: 'Update Destination' });
  await expect(update.getByLabel('Employer ID')).toHaveValue('ACME');
  await expect(update.getByLabel('Job ID')).toHaveValue('2026-07');
});

test('a failed step shows the Error badge and the reason, and can be retried', async ({ page, product }) => {
  const { title, candidateName } = await teamLeads(product);
  const refused = product.sandbox.control.fail({ kind: 'google-refuses', reason: 'invalidTitle' });
  await page.goto('/');
  const card = cardOf(page, title);
  await card.getByRole('button', { name: 'Convert to YouTube' }).click();
  await expectToast(page, 'Conversion Failed', `${candidateName}: `);
  await expect(card.getByText('Error', { exact: true })).toBeVisible();
  await expect(card.getByRole('tabpanel')).toContainText('YouTube');
  refused.stop();
  await card.getByRole('button', { name: 'Convert to YouTube' }).click();
  await expect(card.getByRole('link', { name: 'View on YouTube' })).toBeVisible(STEP_TIMEOUT);
  await expect(card.getByText('Error', { exact: true })).toBeHidden();
});
