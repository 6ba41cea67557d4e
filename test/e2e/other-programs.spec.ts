import { Webhook } from 'standardwebhooks';
import { cardOf, expect, expectToast, test, toastOf } from './support/journey.ts';

const SUMMARY = 'Overview\nLeads a safe shift.';

test('a job is found in Bullhorn, the note is sent, and updated after the summary has changed', async ({
  page,
  product,
  signIn,
}) => {
  const { recruiter, sandbox } = product;
  await product.connectBullhorn();
  const [funnel] = await recruiter.connect(sandbox.funnels[3]);
  if (funnel) await recruiter.refresh(funnel);
  const [interview] = await recruiter.interviews();
  if (!interview) throw new Error('The refresh stored no interviews.');
  const converted = "UPDATE interview SET youtube_id = 'abc123', youtube_status = 'completed' WHERE id = $1";
  await product.sql(converted, [interview.id]);
  await recruiter.call('PUT', `/api/interviews/${interview.id}/transcript`, { transcriptionText: 'I plan shifts.' });
  await recruiter.call('PUT', `/api/interviews/${interview.id}/summary`, { summaryText: SUMMARY });
  await signIn();
  await page.goto('/');
  const card = cardOf(page, interview.title);
  const dialog = page.getByRole('dialog');

  await card.getByRole('tab', { name: 'Destination' }).click();
  await card.getByRole('button', { name: 'Set Destination' }).click();
  await dialog.getByLabel('Employer ID').fill('4711');
  await dialog.getByLabel('Job ID').fill('89');
  await dialog.getByRole('button', { name: 'Set Destination' }).click();
  const closed = '"Frontend Engineer, Contract" of Northwind Health (4711) is closed in Bullhorn.';
  await expectToast(page, 'Destination Updated', closed);
  await expect(card.getByText('Sent', { exact: true })).toBeVisible();

  await card.getByRole('button', { name: 'Update' }).click();
  await dialog.getByRole('combobox', { name: 'Find in Bullhorn' }).fill('warehouse');
  await dialog.getByRole('option', { name: 'Warehouse Team Lead' }).click();
  await expect(dialog.getByLabel('Employer ID')).toHaveValue('4714');
  await expect(dialog.getByLabel('Job ID')).toHaveValue('92');
  await dialog.getByRole('button', { name: 'Update Destination' }).click();
  await toastOf(page).getByRole('button', { name: 'Send to Bullhorn' }).click();
  await expect(dialog).toHaveAccessibleName('Send to Bullhorn');
  await expect(dialog.getByText(interview.candidateEmail ?? '')).toBeVisible();
  await expect(dialog.getByText('Harbour Logistics')).toBeVisible();
  await expect(dialog.getByText('Leads a safe shift.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  const chip = card.getByRole('button', { name: /^Bullhorn:/ });
  await expect(chip).toHaveText('Bullhorn: Sent');

  await card.getByRole('tab', { name: 'Summary' }).click();
  await card.getByRole('button', { name: 'View Summary' }).click();
  await dialog.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByRole('textbox', { name: 'Summary text' }).fill('Overview\nLeads a calm shift.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Summary Updated');
  await page.keyboard.press('Escape');
  await expect(chip).toHaveText('Bullhorn: Changed since');
  await chip.click();
  await expect(dialog).toHaveAccessibleName('Update the note in Bullhorn');
  await dialog.getByRole('button', { name: 'Update the note' }).click();
  await expect(chip).toHaveText('Bullhorn: Sent');
  const notes = sandbox.control.bullhorn.store.rows('Note') ?? [];
  expect(notes.map(({ comments }) => comments)).toEqual([expect.stringContaining('Leads a calm shift.')]);
});

test('a webhook is added, gets a signed test, and shows its delivery', async ({ page, product, signIn }) => {
  const { receiverUrl, control } = product.sandbox;
  await signIn();
  await page.goto('/webhooks');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill(`${receiverUrl}/crm`);
  await dialog.getByRole('checkbox', { name: 'Client decided' }).check();
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await expect(dialog).toHaveAccessibleName(/^Secret for 127/);
  const secret = await dialog.getByLabel('Secret').inputValue();
  await dialog.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: /^Actions for 127/ }).click();
  await page.getByRole('menuitem', { name: 'Send a test' }).click();
  await expect(dialog.getByText('Delivered')).toBeVisible();
  await dialog.getByText('Request and response').click();
  await expect(dialog.getByText(/^Response 200 in \d+ ms$/)).toBeVisible();
  const [event, ...others] = control.events('/receiver/crm');
  expect(others).toEqual([]);
  await expect(dialog.getByText(`Request ${event?.id}`)).toBeVisible();
  const headers = {
    ...{ 'webhook-id': event?.id ?? '', 'webhook-timestamp': event?.timestamp ?? '' },
    'webhook-signature': event?.signature ?? '',
  };
  expect(new Webhook(secret).verify(event?.body ?? '', headers)).toMatchObject({ type: 'webhook.test' });
});
