import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { createQueryClient } from '#web/lib/query-client.ts';
import { json, type SeenRequest, serve } from '#web/testing/server-edge.ts';
import { Toaster } from '#web/ui/feedback/toaster.tsx';
import { ChangePasswordDialog } from './change-password-dialog.tsx';

function open(response: () => Response, confirmedAt: string | null = null) {
  const received = vi.fn((_: SeenRequest) => response());
  serve({
    'POST /api/user/password': received,
    'GET /api/user/second-factor': { confirmedAt, recoveryCodesLeft: 8, required: false },
  });
  const onClose = vi.fn();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ChangePasswordDialog onClose={onClose} />
      <Toaster />
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  const fill = async (current: string, next: string, again = next) => {
    for (const [label, text] of [
      [/^Current password/, current],
      [/^New password/, next],
      [/^Confirm new password/, again],
    ] as const) {
      await user.clear(screen.getByLabelText(label));
      if (text) await user.type(screen.getByLabelText(label), text);
    }
    await user.click(screen.getByRole('button', { name: 'Change password' }));
  };
  return { user, received, onClose, fill };
}

test('missing and differing input is reported at its field, and nothing is sent', async () => {
  const { received, fill } = open(() => json({ message: 'ok' }));
  await fill('', '', '');
  expect(screen.getByText('Current password is required')).toBeTruthy();
  expect(screen.getByText('New password is required')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText(/^Current password/));
  await fill('old one', 'new one 1', 'new one 2');
  expect(screen.getByText("Passwords don't match")).toBeTruthy();
  expect(screen.queryByText('Current password is required')).toBeNull();
  expect(received).not.toHaveBeenCalled();
});

test('an error of the server is shown at its field, which gets the focus', async () => {
  const refused = { message: 'Current password is incorrect.', code: 'invalid_input', field: 'currentPassword' };
  const { fill, onClose } = open(() => json(refused, 400));
  await fill('old one', 'new one 1');
  expect(await screen.findByText('Current password is incorrect.')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText(/^Current password/));
  expect(onClose).not.toHaveBeenCalled();
});

test('any other failure is a toast, and the input stays', async () => {
  const { fill } = open(() => json({ message: 'Too many failed sign-ins.', code: 'too_many_requests' }, 429));
  await fill('old one', 'new one 1');
  expect(await screen.findByText("Couldn't change the password: Too many failed sign-ins.")).toBeTruthy();
  expect(screen.getByLabelText(/^Current password/)).toHaveProperty('value', 'old one');
});

test('a changed password is confirmed in a toast, and the dialog closes', async () => {
  const { fill, received, onClose } = open(() => json({ message: 'Password changed' }));
  await fill('old one', 'new one 1');
  expect(await screen.findByText("Password changed. You're signed out on other devices.")).toBeTruthy();
  expect(received).toHaveBeenCalledOnce();
  expect(onClose).toHaveBeenCalledOnce();
});

test('with two-factor sign-in a code is asked for, and its error is shown at its field', async () => {
  const wrong = { message: 'That code is wrong.', code: 'invalid_input', field: 'code' };
  const { user, fill, received } = open(() => json(wrong, 400), '2026-03-05T12:00:00.000Z');
  await screen.findByLabelText(/^Authenticator code/);
  await fill('old one', 'new one 1');
  expect(screen.getByText('A code is required')).toBeTruthy();
  expect(received).not.toHaveBeenCalled();
  await user.type(screen.getByLabelText(/^Authenticator code/), '123 456');
  await fill('old one', 'new one 1');
  expect(await screen.findByText('That code is wrong.')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText(/^Authenticator code/));
  expect(received.mock.calls.map(([{ body }]) => body)).toEqual([
    { currentPassword: 'old one', newPassword: 'new one 1', code: '123 456' },
  ]);
});
