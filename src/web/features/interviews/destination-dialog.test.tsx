// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Interview } from '#contracts/interviews.ts';
import { anInterview, card, findCard, openDashboard, READY } from '#web/features/interviews/testing/open-dashboard.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { json } from '#web/testing/server-edge.ts';

async function open(button: string, part: Partial<Interview> = {}, answers = {}) {
  const dashboard = openDashboard([anInterview({ ...READY, ...part })], {
    'POST /api/interviews/int-1/destination': { message: 'Linked.' },
    ...answers,
  });
  await dashboard.user.click((await findCard()).getByRole('tab', { name: 'Destination' }));
  await dashboard.user.click(card().getByRole('button', { name: button }));
  await screen.findByRole('dialog');
  return dashboard;
}
const posted = (seen: { method: string; body: unknown }[]) => seen.find(({ method }) => method === 'POST')?.body;

test('a destination is the trimmed ids with the prefix, and trimmed notes', async () => {
  const { user, seen, lists } = await open('Set Destination');
  const dialog = within(screen.getByRole('dialog', { name: 'Set Destination' }));
  expect(dialog.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Application Details', 'Additional Notes']);
  await user.type(screen.getByLabelText(/Employer ID/), ' ACME ');
  await user.type(screen.getByLabelText(/Job ID/), ' 2026-07 ');
  await user.click(screen.getByRole('tab', { name: 'Additional Notes' }));
  await user.type(screen.getByLabelText('Notes'), ' call back ');
  await user.click(screen.getByRole('button', { name: 'Set Destination' }));
  await expectToast('Destination Updated');
  await waitFor(() => expect(lists()).toHaveLength(2));
  expect(posted(seen)).toEqual({ destinationId: 'BUB-ACME-2026-07', notes: 'call back' });
});

test('notes may be left out', async () => {
  const { user, seen } = await open('Set Destination');
  await user.type(screen.getByLabelText(/Employer ID/), 'ACME');
  await user.type(screen.getByLabelText(/Job ID/), '7');
  await user.click(screen.getByRole('button', { name: 'Set Destination' }));
  await expectToast('Destination Updated');
  expect(posted(seen)).toEqual({ destinationId: 'BUB-ACME-7', notes: '' });
});

test('both ids are required, after trimming', async () => {
  const { user, seen } = await open('Set Destination');
  await user.type(screen.getByLabelText(/Employer ID/), 'ACME');
  await user.type(screen.getByLabelText(/Job ID/), '   ');
  await user.click(screen.getByRole('tab', { name: 'Additional Notes' }));
  await user.click(screen.getByRole('button', { name: 'Set Destination' }));
  await expectToast('Validation Error', 'Both Employer ID and Job ID are required', 'destructive');
  expect(screen.getByLabelText(/Job ID/).getAttribute('aria-invalid')).toBe('true');
  expect(posted(seen)).toBeUndefined();
});

test('an existing destination is split at its first hyphen, with its notes', async () => {
  const destination = { id: 'BUB-ACME-2026-07', url: null, notes: 'first talk', added: null };
  const { user } = await open('Update', {
    destinationId: destination.id,
    processingStatus: { questions: [], destination },
  });
  expect(screen.getByRole('dialog', { name: 'Update Destination' })).toBeTruthy();
  expect(screen.getByLabelText(/Employer ID/)).toHaveProperty('value', 'ACME');
  expect(screen.getByLabelText(/Job ID/)).toHaveProperty('value', '2026-07');
  await user.click(screen.getByRole('tab', { name: 'Additional Notes' }));
  expect(screen.getByLabelText('Notes')).toHaveProperty('value', 'first talk');
});

test('a destination that cannot be saved says why', async () => {
  const { user } = await open(
    'Set Destination',
    {},
    { 'POST /api/interviews/int-1/destination': () => json({ message: 'The database is down' }, 503) },
  );
  await user.type(screen.getByLabelText(/Employer ID/), 'ACME');
  await user.type(screen.getByLabelText(/Job ID/), '7');
  await user.click(screen.getByRole('button', { name: 'Set Destination' }));
  await expectToast('Error', 'Failed to update destination: The database is down', 'destructive');
});
