import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { createQueryClient } from '#web/lib/query-client.ts';
import { json, serve } from '#web/testing/server-edge.ts';
import { Toaster } from '#web/ui/feedback/toaster.tsx';
import { SecondFactorDialog } from './second-factor-dialog.tsx';

const OFF = { confirmedAt: null, recoveryCodesLeft: 0, required: false };
const ON = { confirmedAt: '2026-03-05T12:00:00.000Z', recoveryCodesLeft: 2, required: false };
const SHARED = { secret: 'ABCDEFGHIJKLMNOP', address: 'otpauth://totp/VIM:dana?secret=ABCDEFGHIJKLMNOP' };
const CODES = { recoveryCodes: ['aaaaaa-bbbbbb', 'cccccc-dddddd'] };
const STATUS = 'GET /api/user/second-factor';

function open(responses: Parameters<typeof serve>[0]) {
  const seen = serve({ 'GET /api/user': { id: 1, username: 'dana' }, ...responses });
  const onClose = vi.fn();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SecondFactorDialog onClose={onClose} />
      <Toaster />
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  const sent = (path: string) => seen.filter((request) => request.path === path && request.method === 'POST');
  return { user, onClose, sent };
}

/** Types the password, and a code if given. */
async function submitProof(user: ReturnType<typeof userEvent.setup>, password: string, code?: string) {
  await user.type(await screen.findByLabelText(/^Current password/), password);
  if (code) await user.type(screen.getByLabelText(/^(?:Authenticator|Recovery) code/), code);
  await submit(user);
}

/** The second to last button: the last one closes the dialog. */
const submit = (user: ReturnType<typeof userEvent.setup>) =>
  user.click(screen.getAllByRole('button').at(-2) as Element);

async function submitFirstCode(user: ReturnType<typeof userEvent.setup>, code: string) {
  await user.type(await screen.findByLabelText(/^6-digit code/), code);
  await user.click(screen.getByRole('button', { name: 'Turn on' }));
}

test('the setup asks for the password, shows the secret and, after the first code, the recovery codes', async () => {
  const { user, onClose, sent } = open({
    [STATUS]: OFF,
    'POST /api/user/second-factor/secret': SHARED,
    'POST /api/user/second-factor': CODES,
  });
  await submitProof(user, 'my password');
  expect(await screen.findByRole('img', { name: 'QR code for your authenticator app' })).toBeTruthy();
  expect(screen.getByText('ABCD EFGH IJKL MNOP')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Turn on' }));
  expect(screen.getByText('Enter the 6-digit code from your app')).toBeTruthy();
  await submitFirstCode(user, '123 456');
  expect(await screen.findByText('aaaaaa-bbbbbb')).toBeTruthy();
  expect(sent('/api/user/second-factor/secret').map(({ body }) => body)).toEqual([{ currentPassword: 'my password' }]);
  expect(sent('/api/user/second-factor').map(({ body }) => body)).toEqual([{ code: '123 456' }]);
  await user.click(screen.getByRole('button', { name: "I've saved them" }));
  expect(onClose).toHaveBeenCalledOnce();
});

test('recovery codes are closed only after a confirmation', async () => {
  const { user, onClose } = open({
    [STATUS]: OFF,
    'POST /api/user/second-factor/secret': SHARED,
    'POST /api/user/second-factor': CODES,
  });
  await submitProof(user, 'my password');
  await submitFirstCode(user, '123456');
  await screen.findByText('aaaaaa-bbbbbb');
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Back to the codes' }));
  expect(screen.getByText('cccccc-dddddd')).toBeTruthy();
  expect(onClose).not.toHaveBeenCalled();
});

test('an error of the server is shown at its field, which gets the focus', async () => {
  const refused = { message: 'Current password is incorrect.', code: 'invalid_input', field: 'currentPassword' };
  const { user } = open({ [STATUS]: OFF, 'POST /api/user/second-factor/secret': () => json(refused, 400) });
  await submitProof(user, 'another');
  expect(await screen.findByText('Current password is incorrect.')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText(/^Current password/));
});

test('a wrong first code is reported at its field, and the secret stays', async () => {
  const refused = { message: 'That code is wrong.', code: 'invalid_input', field: 'code' };
  const { user } = open({
    [STATUS]: OFF,
    'POST /api/user/second-factor/secret': SHARED,
    'POST /api/user/second-factor': () => json(refused, 400),
  });
  await submitProof(user, 'my password');
  await submitFirstCode(user, '000000');
  expect(await screen.findByText('That code is wrong.')).toBeTruthy();
  expect(screen.getByText('ABCD EFGH IJKL MNOP')).toBeTruthy();
});

test('an active second factor shows its date and the number of recovery codes left', async () => {
  open({ [STATUS]: ON });
  expect(await screen.findByText('On since March 5, 2026')).toBeTruthy();
  expect(screen.getByText('2 recovery codes left')).toBeTruthy();
});

test('a required second factor cannot be turned off', async () => {
  open({ [STATUS]: { ...ON, required: true } });
  expect(await screen.findByRole('button', { name: /Use another app/ })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Turn off/ })).toBeNull();
});

test.each([
  [/New recovery codes/, 'Generate new codes', '/api/user/second-factor/recovery-codes', CODES, 'aaaaaa-bbbbbb'],
  [/Use another app/, 'Continue', '/api/user/second-factor/secret', SHARED, 'ABCD EFGH IJKL MNOP'],
  [/Turn off/, 'Turn off', '/api/user/second-factor/off', { message: 'off' }, /^Two-factor sign-in is off\./],
] as const)('%s asks for password and code', async (choice, button, path, response, shown) => {
  const { user, sent } = open({ [STATUS]: ON, [`POST ${path}`]: response });
  await user.click(await screen.findByRole('button', { name: choice }));
  await user.click(screen.getByRole('button', { name: button }));
  expect(screen.getByText('Current password is required')).toBeTruthy();
  expect(screen.getByText('A code is required')).toBeTruthy();
  expect(sent(path)).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Use a recovery code' }));
  await submitProof(user, 'my password', 'aaaaaa-bbbbbb');
  expect((await screen.findAllByText(shown)).length).toBeGreaterThan(0);
  expect(sent(path).map(({ body }) => body)).toEqual([{ currentPassword: 'my password', code: 'aaaaaa-bbbbbb' }]);
});
