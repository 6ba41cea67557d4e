import type { Page } from '@playwright/test';
import { cardOf, clickAndAwaitResponse, expect, expectToast, test } from './support/journey.ts';

test.describe.configure({ mode: 'parallel' });

test.beforeEach(({ signIn }) => signIn());

const openForm = (page: Page) => page.getByRole('button', { name: 'Add New Funnel' }).first().click();

test('the first funnel is created from the empty list and shown as Inactive with its values', async ({
  page,
  product: _,
}) => {
  await page.goto('/funnels');
  await expect(page.getByRole('heading', { name: 'Funnel Management' })).toBeVisible();
  await expect(page.getByText('Configure API sources to fetch video interviews')).toBeVisible();
  await expect(page.getByText('No funnels found')).toBeVisible();
  await expect(page.getByText('Create your first funnel to start fetching interviews')).toBeVisible();
  await openForm(page);
  const dialog = page.getByRole('dialog', { name: 'Add New Funnel' });
  await dialog.getByLabel('Funnel Name').fill('Night Nurse');
  await dialog.getByLabel('Client Name').fill('St. Brigid Clinic');
  await dialog.getByLabel('API Key').fill('a secret');
  await expect(dialog.getByLabel('API Key')).toHaveAttribute('type', 'password');
  await dialog.getByRole('button', { name: 'Reveal' }).click();
  await expect(dialog.getByLabel('API Key')).toHaveAttribute('type', 'text');
  await dialog.getByLabel('Funnel ID').fill('nursing');
  await dialog.getByLabel('Direct Link').fill('https://interviews.example.com/nurse');
  await dialog.getByRole('tab', { name: 'Description' }).click();
  await dialog.getByRole('textbox', { name: 'Description' }).fill('Cares for patients at night.');
  await expect(dialog.getByText('28/2000')).toBeVisible();
  await dialog.getByLabel('Skills').fill('Handover, Empathy');
  await dialog.getByRole('tab', { name: 'Expectations' }).click();
  await dialog.getByLabel('Culture Expectations').fill('Calm');
  await dialog.getByRole('button', { name: 'Create Funnel' }).click();

  await expectToast(page, 'Funnel created', 'New funnel has been created successfully.');
  await expect(dialog).toBeHidden();
  const card = cardOf(page, 'Night Nurse');
  for (const text of ['Inactive', 'Cares for patients at night.', 'St. Brigid Clinic', 'nursing', 'No interviews yet'])
    await expect(card).toContainText(text);
  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await expect(page).toHaveURL('/');
});

test('the form shows the errors of each tab, and leaving it changed asks first', async ({ page, product: _ }) => {
  await page.goto('/funnels');
  const add = page.getByRole('button', { name: 'Add New Funnel' }).first();
  await add.click();
  const dialog = page.getByRole('dialog', { name: 'Add New Funnel' });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(add).toBeFocused();
  await add.click();
  await dialog.getByLabel('Client Name').fill('Half a funnel');
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Discard changes?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(dialog.getByLabel('Client Name')).toHaveValue('Half a funnel');

  await dialog.getByRole('tab', { name: 'Description' }).click();
  await dialog.getByRole('textbox', { name: 'Description' }).fill('x'.repeat(2_001));
  await expect(dialog.getByText('2001/2000')).toBeVisible();
  await dialog.getByLabel('Skills').fill('x'.repeat(201));
  await dialog.getByRole('tab', { name: 'Expectations' }).click();
  const expectations = ['Professional', 'Skill', 'Education', 'Culture'].map((kind) => `${kind} Expectations`);
  for (const label of expectations) await dialog.getByLabel(label).fill('x'.repeat(501));
  await dialog.getByRole('button', { name: 'Create Funnel' }).click();

  const problem = (text: string) => expect(dialog.getByRole('alert').filter({ hasText: text })).toBeVisible();
  await expect(dialog.getByRole('tab', { name: 'Basic Settings' })).toHaveAttribute('aria-selected', 'true');
  await expect(dialog.getByLabel('API Key')).toBeFocused();
  for (const field of ['Funnel Name', 'API Key', 'Funnel ID']) await problem(`${field} is required`);
  for (const [field, limit] of [
    ['Funnel Name', 100],
    ['Client Name', 50],
    ['API Key', 100],
    ['Funnel ID', 100],
  ] as const) {
    await dialog.getByLabel(field).fill('x'.repeat(limit + 1));
    await problem(`${field} must be at most ${limit} characters`);
    await dialog.getByLabel(field).fill('x'.repeat(limit));
  }
  await dialog.getByLabel('Direct Link').fill('example.com');
  await problem('Direct Link must be a link that starts with http:// or https://');
  await dialog.getByLabel('Direct Link').fill(`https://example.com/${'x'.repeat(200)}`);
  await problem('Direct Link must be at most 200 characters');
  await dialog.getByLabel('Direct Link').fill('');
  await expect(dialog.getByRole('alert')).toHaveCount(0);

  await dialog.getByRole('tab', { name: 'Description' }).click();
  await problem('Description must be at most 2000 characters');
  await problem('Skills must be at most 200 characters');
  await dialog.getByRole('textbox', { name: 'Description' }).fill('x'.repeat(2_000));
  await expect(dialog.getByText('2000/2000')).toBeVisible();
  await dialog.getByLabel('Skills').fill('x'.repeat(200));
  await dialog.getByRole('tab', { name: 'Expectations' }).click();
  for (const label of expectations) {
    await problem(`${label} must be at most 500 characters`);
    await dialog.getByLabel(label).fill('x'.repeat(500));
  }
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toBeHidden();
});

test('editing starts from the values of the funnel; a rejected save keeps the text', async ({
  page,
  product,
  console,
}) => {
  const { id } = await product.recruiter.funnel({
    name: 'Warehouse Lead',
    clientName: 'Harbour',
    apiKey: 'sandbox-key',
  });
  await page.goto('/funnels');
  const edit = cardOf(page, 'Warehouse Lead').getByRole('button', { name: 'Edit' });
  await edit.click();
  const dialog = page.getByRole('dialog', { name: 'Edit Funnel' });
  await expect(dialog.getByLabel('Client Name')).toHaveValue('Harbour');
  await expect(dialog.getByLabel('API Key')).toHaveValue('sandbox-key');
  await dialog.getByLabel('Funnel Name').fill('Warehouse Team Lead');
  await dialog.getByLabel('Client Name').fill('');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expectToast(page, 'Funnel updated', 'Funnel has been updated successfully.');
  await expect(cardOf(page, 'Warehouse Team Lead')).toContainText('N/A');
  await expect(cardOf(page, 'Warehouse Team Lead').getByRole('button', { name: 'Edit' })).toBeFocused();

  await cardOf(page, 'Warehouse Team Lead').getByRole('button', { name: 'Edit' }).click();
  await dialog.getByLabel('Funnel Name').fill('Still here');
  console.allow(404, `/api/funnels/${id}`);
  await product.recruiter.deleteAllFunnels();
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expectToast(page, 'Error', 'Failed to update funnel: ');
  await expect(dialog.getByLabel('Funnel Name')).toHaveValue('Still here');
});

test('Set Active makes a funnel the active one, and the direct link is copied', async ({ page, product, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await product.recruiter.funnel({ name: 'First', directLink: 'https://interviews.example.com/first' });
  await product.recruiter.funnel({ name: 'Second', funnelId: 'nursing' });
  await page.goto('/funnels');
  const [first, second] = [cardOf(page, 'First'), cardOf(page, 'Second')];
  await first.getByRole('button', { name: 'Set Active' }).click();
  await expectToast(page, 'Funnel activated', 'Funnel has been set as active.');
  await expect(first.getByText('Active', { exact: true })).toBeVisible();
  await expect(first.getByRole('button', { name: 'Set Active' })).toHaveCount(0);
  await clickAndAwaitResponse(second.getByRole('button', { name: 'Set Active' }), '/activate');
  await expect(second.getByText('Active', { exact: true })).toBeVisible();
  await expect(first.getByText('Inactive', { exact: true })).toBeVisible();
  await page.reload();
  await expect(second.getByText('Active', { exact: true })).toBeVisible();
  await first.getByRole('button', { name: 'Copy link' }).click();
  await expectToast(page, 'Link copied');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('https://interviews.example.com/first');
});

test('deleting a funnel asks for confirmation and deletes its interviews', async ({ page, product }) => {
  const { recruiter, sandbox } = product;
  const [warehouse] = await recruiter.connect(sandbox.funnels[3]);
  if (warehouse) await recruiter.refresh(warehouse);
  await page.goto('/funnels');
  const card = cardOf(page, 'Warehouse Team Lead');
  await expect(card).toContainText('4 interviews');
  const remove = card.getByRole('button', { name: 'Delete' });
  await remove.click();
  const question = page.getByRole('alertdialog', { name: 'Are you sure?' });
  await expect(question).toContainText(
    'This will permanently delete the funnel "Warehouse Team Lead" and all its associated data. This action cannot be undone.',
  );
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(remove).toBeFocused();
  await remove.click();
  await expect(question).toContainText('4 interviews, 4 recordings');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'Funnel deleted', 'Funnel has been deleted successfully.');
  await expect(page.getByText('No funnels found')).toBeVisible();
  expect(await recruiter.interviews()).toEqual([]);
});
