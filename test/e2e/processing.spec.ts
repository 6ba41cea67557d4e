import type { Locator } from '@playwright/test';
import type { Interview } from '#contracts/interviews.ts';
import { AT_THE_END, cardOf, expect, expectToast, test } from './support/journey.ts';
import type { RunningProduct } from './support/product.ts';

test.describe.configure({ mode: 'parallel' });

async function teamLeads({ recruiter, sandbox }: RunningProduct): Promise<Interview> {
  const [warehouse] = await recruiter.connect(sandbox.funnels[3]);
  if (warehouse) await recruiter.refresh(warehouse);
  const [first] = await recruiter.interviews();
  if (!first) throw new Error('The refresh brought no interviews.');
  return first;
}

/** An interview that is converted, transcribed and summarised. */
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

test.beforeEach(async ({ product, signIn }) => {
  await product.reset();
  await signIn();
});

test('Scores only shows a Coming soon message, and a destination waits for the three steps', async ({
  page,
  product,
}) => {
  const { title } = await teamLeads(product);
  await page.goto('/');
  const card = cardOf(page, title);
  await openTab(card, 'Scores', 'View Scores');
  await expectToast(page, 'Coming soon');
  await card.getByRole('tab', { name: 'Destination' }).click();
  await expect(card.getByRole('button', { name: 'Set Destination' })).toBeDisabled();
});

test('a converted video opens on YouTube in a new tab', async ({ page, product }) => {
  const { title } = await readyInterview(product);
  await page.goto('/');
  const link = cardOf(page, title).getByRole('link', { name: 'View on YouTube' });
  await expect(link).toHaveAttribute('href', 'https://www.youtube.com/watch?v=abc123');
  await expect(link).toHaveAttribute('target', '_blank');
  await expect(cardOf(page, title).getByText('Pending', { exact: true })).toBeVisible();
});

test('a transcript is read, edited and saved, and never saved empty', async ({ page, product }) => {
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
});

test('a summary is edited, never saved empty, and unsaved changes ask before they go', async ({ page, product }) => {
  const { title } = await readyInterview(product);
  await page.goto('/');
  await openTab(cardOf(page, title), 'Summary', 'View Summary');
  const dialog = page.getByRole('dialog', { name: 'Summary' });
  await dialog.getByRole('button', { name: 'Edit' }).click();
  const text = dialog.getByRole('textbox', { name: 'Summary text' });
  await text.fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Validation Error', 'Summary text cannot be empty');
  await text.fill('Plans ahead and sleeps well.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const question = page.getByRole('alertdialog', { name: 'Discard changes?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Summary Updated');
});

test('a destination needs Employer ID and Job ID, and makes the interview Sent', async ({ page, product }) => {
  const interview = await readyInterview(product);
  await page.goto('/');
  const card = cardOf(page, interview.title);
  await openTab(card, 'Destination', 'Set Destination');
  const dialog = page.getByRole('dialog', { name: 'Set Destination' });
  await dialog.getByLabel('Employer ID').fill('  ');
  await dialog.getByRole('tab', { name: 'Additional Notes' }).click();
  await dialog.getByRole('textbox', { name: 'Notes' }).fill('  Please call after 5 pm. ');
  await dialog.getByRole('button', { name: 'Set Destination' }).click();
  await expectToast(page, 'Validation Error', 'Both Employer ID and Job ID are required');
  await dialog.getByLabel('Employer ID').fill(' ACME ');
  await dialog.getByLabel('Job ID').fill('2026-07');
  await expect(dialog).toContainText('Saved as BUB-ACME-2026-07');
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

test('a step that fails shows the Error badge and why, and can be tried again', async ({ page, product }) => {
  const { title } = await teamLeads(product);
  const refused = product.sandbox.control.fail({ kind: 'google-refuses', reason: 'invalidTitle' });
  await page.goto('/');
  const card = cardOf(page, title);
  await card.getByRole('button', { name: 'Convert to YouTube' }).click();
  await expectToast(page, 'Conversion Failed', `"${title}": `);
  await expect(card.getByText('Error', { exact: true })).toBeVisible();
  await expect(card.getByRole('tabpanel')).toContainText('YouTube');
  refused.stop();
  await card.getByRole('button', { name: 'Convert to YouTube' }).click();
  await expect(card.getByRole('link', { name: 'View on YouTube' })).toBeVisible(AT_THE_END);
  await expect(card.getByText('Error', { exact: true })).toBeHidden();
});

test('a step that cannot start says why in a destructive toast', async ({ page, product, console }) => {
  const { id, title } = await teamLeads(product);
  await page.goto('/');
  await expect(cardOf(page, title)).toBeVisible();
  // Somebody else's conversion is done, and this page has not heard of it.
  await product.sql("UPDATE interview SET youtube_id = 'abc123', youtube_status = 'completed' WHERE id = $1", [id]);
  console.allow(409, '/convert');
  await cardOf(page, title).getByRole('button', { name: 'Convert to YouTube' }).click();
  await expectToast(page, 'Conversion Failed', 'This video is already published on YouTube.');
});

test('the test page opens the destination dialog on sample data and sends nothing', async ({ page }) => {
  await page.goto('/test-destination');
  await page.getByRole('checkbox', { name: 'With an existing destination' }).check();
  await page.getByRole('button', { name: 'Update Destination' }).click();
  const dialog = page.getByRole('dialog', { name: 'Update Destination' });
  await expect(dialog.getByLabel('Employer ID')).toHaveValue('ACME');
  await dialog.getByLabel('Job ID').fill('2027-01');
  await dialog.getByRole('button', { name: 'Update Destination' }).click();
  await expect(page.getByText('BUB-ACME-2027-01')).toBeVisible();
});
