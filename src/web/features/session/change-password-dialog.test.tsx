// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { ChangePasswordDialog } from '#web/features/session/change-password-dialog.tsx';
import { createQueryClient } from '#web/lib/query-client.ts';
import { ToastList } from '#web/lib/toast-list.tsx';
import { json, serve } from '#web/testing/server-edge.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(answer: () => Response) {
  const asked = vi.fn(answer);
  serve({ 'POST /api/user/password': asked });
  const onClose = vi.fn();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ChangePasswordDialog onClose={onClose} />
      <ToastList />
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  const fill = async (current: string, next: string, again = next) => {
    for (const [label, text] of [
      [/^Current password/, current],
      [/^New password(?! again)/, next],
      [/^New password again/, again],
    ] as const) {
      await user.clear(screen.getByLabelText(label));
      if (text) await user.type(screen.getByLabelText(label), text);
    }
    await user.click(screen.getByRole('button', { name: 'Change password' }));
  };
  return { asked, onClose, fill };
}

test('says what is missing at its field, and asks nobody', async () => {
  const { asked, fill } = open(() => json({ message: 'ok' }));
  await fill('', '', '');
  expect(screen.getByText('Current password is required')).toBeTruthy();
  expect(screen.getByText('New password is required')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText(/^Current password/));
  await fill('old one', 'new one 1', 'new one 2');
  expect(screen.getByText('This is not the same password')).toBeTruthy();
  expect(screen.queryByText('Current password is required')).toBeNull();
  expect(asked).not.toHaveBeenCalled();
});

test('what the server refuses stands at its field, which has the focus', async () => {
  const refused = { message: 'This is not your current password.', code: 'invalid_input', field: 'currentPassword' };
  const { fill, onClose } = open(() => json(refused, 400));
  await fill('old one', 'new one 1');
  expect(await screen.findByText('This is not your current password.')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText(/^Current password/));
  expect(onClose).not.toHaveBeenCalled();
});

test('any other failure is a toast, and what was typed stays', async () => {
  const { fill } = open(() => json({ message: 'Too many failed sign-ins.', code: 'too_many_requests' }, 429));
  await fill('old one', 'new one 1');
  expect(await screen.findByText('Failed to change the password: Too many failed sign-ins.')).toBeTruthy();
  expect(screen.getByLabelText(/^Current password/)).toHaveProperty('value', 'old one');
});

test('a changed one is told, and the dialog closes', async () => {
  const { fill, asked, onClose } = open(() => json({ message: 'The password was changed' }));
  await fill('old one', 'new one 1');
  expect(await screen.findByText('Password changed. Your other browsers are signed out.')).toBeTruthy();
  expect(asked).toHaveBeenCalledOnce();
  expect(onClose).toHaveBeenCalledOnce();
});
