// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { SummaryStructure } from '#contracts/summaries.ts';
import { anInterview, card, findCard, openDashboard, READY } from '#web/features/interviews/testing/open-dashboard.ts';

const STRUCTURE: SummaryStructure = {
  method: 'model',
  overview: 'Plans ahead.',
  expectations: [
    {
      field: 'skills',
      expectation: 'forklift, planning',
      verdict: 'partly',
      note: 'Planning was shown.',
      quotes: [{ text: 'We plan every shift', startSeconds: 64.2 }],
    },
    { field: 'cultureExpectations', expectation: 'kind', verdict: 'not shown', note: null, quotes: [] },
  ],
  openQuestions: ['Which forklift licence do you have?'],
};

test('a summary shows each expectation with its verdict, note and quotes', async () => {
  const { user } = openDashboard([anInterview(READY)], {
    'GET /api/interviews/int-1/summary': { summaryText: 'As text.', structure: STRUCTURE },
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
  await user.click(dialog.getByRole('button', { name: 'Edit' }));
  expect(screen.getByLabelText('Summary text')).toHaveProperty('value', 'As text.');
});
