import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import {
  anInterview,
  aSummary,
  card,
  findCard,
  openDashboard,
  READY,
} from '#web/features/interviews/testing/open-dashboard.ts';

test('a summary shows each expectation with its verdict, note and quotes', async () => {
  const { user } = openDashboard([anInterview(READY)], {
    'GET /api/interviews/int-1/summary': { summaryText: 'As text.', structure: aSummary() },
  });
  await user.click((await findCard()).getByRole('tab', { name: 'Summary' }));
  await user.click(card().getByRole('button', { name: 'View Summary' }));
  await screen.findByText('Plans ahead.');
  const dialog = within(screen.getByRole('dialog', { name: 'Summary' }));
  expect(dialog.getByRole('heading', { name: 'Skills Partly met' })).toBeTruthy();
  expect(dialog.getByText('Expected: forklift, planning')).toBeTruthy();
  expect(dialog.getByText(/We plan every shift/).textContent).toBe('“We plan every shift”1:04');
  expect(dialog.getByRole('heading', { name: 'Culture Expectations Not mentioned' })).toBeTruthy();
  expect(dialog.getByText('Which forklift licence do you have?')).toBeTruthy();
});
