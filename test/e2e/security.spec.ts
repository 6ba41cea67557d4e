import { expect, test } from './support/journey.ts';

test('the API documentation is shown under its policy, without a complaint of the browser', async ({
  page,
  signIn,
}) => {
  await signIn();
  await page.goto('/api/docs');
  await expect(page.getByRole('heading', { name: /Video Interview Management/ })).toBeVisible();
  await page.getByText('/api/interviews/{id}/archive').click();
  await expect(page.getByRole('button', { name: 'Try it out' })).toBeVisible();
});
