import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anInterview, openDashboard } from '#web/features/interviews/testing/open-dashboard.ts';

async function openShare() {
  const { user, seen } = openDashboard(
    [anInterview()],
    {
      'GET /api/share-defaults': () => null,
      'POST /api/share-preview': () => new Promise(() => {}),
      'POST /api/shares': () => new Promise(() => {}),
    },
    '/?dialog=share&id=int-1',
  );
  await user.type(await screen.findByLabelText('Name of recipient 1'), 'Mia');
  const dialog = within(screen.getByRole('dialog', { name: 'Share 1 candidate' }));
  const shares = () => seen.filter(({ path }) => path === '/api/shares');
  return { user, dialog, shares };
}

test('the days of a link can be deleted and typed again', async () => {
  const { user, dialog, shares } = await openShare();
  const days = dialog.getByRole('spinbutton', { name: /^Works for/ });
  await user.type(days, '{Backspace}{Backspace}');
  await user.click(dialog.getByRole('button', { name: 'Create links' }));
  expect(dialog.getByRole('alert').textContent).toBe('Enter for how many days the links work.');
  await user.type(days, '30');
  expect(days).toHaveProperty('value', '30');
  await user.click(dialog.getByRole('button', { name: 'Create links' }));
  await waitFor(() => expect(shares()).toHaveLength(1));
});

test('Ctrl+Enter while the links are being created does not share twice', async () => {
  const { user, dialog, shares } = await openShare();
  await user.click(dialog.getByRole('textbox', { name: 'Message' }));
  await user.keyboard('{Control>}{Enter}{/Control}');
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Create links', busy: true })).toBeTruthy());
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(shares()).toHaveLength(1);
});
