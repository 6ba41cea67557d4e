import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { createQueryClient } from '#web/lib/query-client.ts';
import { json, serve } from '#web/testing/server-edge.ts';
import { Toaster } from '#web/ui/feedback/toaster.tsx';
import { DevicesDialog } from './devices-dialog.tsx';

const TIMES = { signedInAt: '2026-03-05T12:00:00.000Z', lastUsedAt: '2026-03-06T12:00:00.000Z' };
const HERE = { id: 1, device: 'Firefox on Linux', address: '203.0.113.5', isCurrent: true, ...TIMES };
const PHONE = { id: 2, device: 'Safari on iPhone', address: '198.51.100.7', isCurrent: false, ...TIMES };
const OLD = { id: 3, device: '', address: '', isCurrent: false, ...TIMES };

function open(responses: Parameters<typeof serve>[0]) {
  const seen = serve(responses);
  render(
    <QueryClientProvider client={createQueryClient()}>
      <DevicesDialog onClose={() => {}} />
      <Toaster />
    </QueryClientProvider>,
  );
  return { user: userEvent.setup(), seen };
}

const itemOf = (name: string) => within(screen.getByText(name).closest('li') as HTMLElement);

test('each device shows its address and last use, and all but the current one can be signed out', async () => {
  let devices = [HERE, PHONE, OLD];
  const { user, seen } = open({
    'GET /api/user/devices': () => devices,
    'DELETE /api/user/devices/2': () => {
      devices = [HERE, OLD];
      return { message: 'Signed out' };
    },
  });
  await screen.findByText('Firefox on Linux');
  expect(itemOf('Firefox on Linux').getByText('This device')).toBeTruthy();
  expect(itemOf('Firefox on Linux').queryByRole('button')).toBeNull();
  expect(itemOf('Safari on iPhone').getByText(/^198\.51\.100\.7 · Last used Mar 6, 2026/)).toBeTruthy();
  expect(itemOf('Unknown device').getByText(/^Last used/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Sign out Safari on iPhone' }));
  expect(await screen.findByText('Safari on iPhone is signed out.')).toBeTruthy();
  await waitFor(() => expect(screen.queryByText('Safari on iPhone')).toBeNull());
  expect(seen.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
});

test('a failed sign-out is a toast, and the device stays', async () => {
  const { user } = open({
    'GET /api/user/devices': [HERE, PHONE],
    'DELETE /api/user/devices/2': () => json({ message: 'Out of order.' }, 400),
  });
  await user.click(await screen.findByRole('button', { name: 'Sign out Safari on iPhone' }));
  expect(await screen.findByText("Couldn't sign out Safari on iPhone: Out of order.")).toBeTruthy();
  expect(screen.getByText('Safari on iPhone')).toBeTruthy();
});
