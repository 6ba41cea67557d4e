import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { OutgoingWebhook, WebhookDelivery } from '#contracts/outgoing-webhooks.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { renderApp } from '#web/testing/render-app.tsx';
import { json, serve } from '#web/testing/server-edge.ts';

const WEBHOOK: OutgoingWebhook = {
  ...{ id: 7, url: 'https://crm.example/events?key=1', events: ['share.decided'], format: 'json' },
  ...{ includePersonalData: false, isActive: true, createdAt: '2026-11-25T12:00:00.000Z' },
  ...{ failingSince: null, pausedAt: null, pauseReason: null, pending: 0 },
};
const DELIVERY: WebhookDelivery = {
  ...{ id: 3, eventId: '6f1c', type: 'share.decided', interviewId: 'BUB-7', state: 'failed', attempts: 2 },
  ...{ createdAt: '2026-11-25T12:00:00.000Z', attemptedAt: '2026-11-25T12:01:00.000Z', nextAttemptAt: null },
  ...{ request: '{"id":"6f1c"}', answer: { status: 500, body: 'no room' }, durationMs: 120 },
  error: 'The receiver responded with 500.',
};

function open(path: string, responses: Parameters<typeof serve>[0] = {}) {
  const seen = serve({
    'GET /api/user': { id: 1, username: 'dana', role: 'administrator', allFunnels: true, funnelIds: [] },
    'GET /api/funnels': [],
    'GET /api/notifications': { notifications: [], unread: 0 },
    'GET /api/webhooks': [WEBHOOK],
    'GET /api/webhooks/7/deliveries': [DELIVERY],
    ...responses,
  });
  return { user: renderApp(path), seen };
}

test('a webhook is added with events, and its secret is shown once', async () => {
  const { user, seen } = open('/webhooks', {
    'GET /api/webhooks': [],
    'POST /api/webhooks': { ...WEBHOOK, secret: 'whsec_abc' },
  });
  expect(await screen.findByText('No webhooks yet')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Add webhook' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add webhook' }));
  await user.click(dialog.getByRole('button', { name: 'Add webhook' }));
  expect(await dialog.findByText('Choose at least one event')).toBeTruthy();
  expect(document.activeElement).toBe(dialog.getByLabelText(/^Address/));
  await user.type(dialog.getByLabelText(/^Address/), 'https://crm.example/events');
  await user.click(dialog.getByRole('button', { name: 'Add webhook' }));
  expect(document.activeElement).toBe(dialog.getByRole('checkbox', { name: 'New interview' }));
  await user.click(dialog.getByRole('checkbox', { name: 'Client decided' }));
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Format' }), 'Slack');
  await user.click(dialog.getByRole('button', { name: 'Add webhook' }));
  const shown = await screen.findByRole('dialog', { name: 'Secret for crm.example' });
  expect(within(shown).getByLabelText('Secret')).toHaveProperty('value', 'whsec_abc');
  expect(seen.find(({ method }) => method === 'POST')?.body).toEqual({
    ...{ url: 'https://crm.example/events', events: ['share.decided'], format: 'slack', includePersonalData: false },
  });
  await user.click(within(shown).getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByDisplayValue('whsec_abc')).toBeNull());
});

test('an error about the URL is shown at its field', async () => {
  const message = 'url must not be in a private network.';
  const { user } = open('/webhooks?dialog=edit-webhook&id=7', {
    'PUT /api/webhooks/7': () => json({ message, code: 'invalid_input', field: 'url' }, 400),
  });
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit crm.example' }));
  await user.click(dialog.getByRole('checkbox', { name: 'Link opened' }));
  await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
  expect(await dialog.findByText(message)).toBeTruthy();
});

test('deliveries show request, response and error, and can be sent again', async () => {
  let deliveries = [DELIVERY];
  const { user, seen } = open('/webhooks?dialog=deliveries&id=7', {
    'GET /api/webhooks/7/deliveries': () => deliveries,
    'POST /api/webhooks/7/deliveries/3/retry': () => {
      deliveries = [{ ...DELIVERY, state: 'delivered', error: null }];
      return deliveries[0];
    },
  });
  const dialog = within(await screen.findByRole('dialog', { name: 'Deliveries to crm.example' }));
  expect(await dialog.findByText('The receiver responded with 500.')).toBeTruthy();
  expect(dialog.getByText('Response 500 in 120 ms')).toBeTruthy();
  expect(dialog.getByText('no room')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: /^Retry: Client decided/ }));
  expect(await dialog.findByText('Delivered')).toBeTruthy();
  expect(seen.some(({ method, path }) => method === 'POST' && path.endsWith('/3/retry'))).toBe(true);
});

test('deliveries that are opened again show what has happened since', async () => {
  let deliveries = [DELIVERY];
  const { user } = open('/webhooks?dialog=deliveries&id=7', { 'GET /api/webhooks/7/deliveries': () => deliveries });
  const dialog = within(await screen.findByRole('dialog', { name: 'Deliveries to crm.example' }));
  expect(await dialog.findByText('Failed')).toBeTruthy();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  deliveries = [{ ...DELIVERY, state: 'delivered', error: null }];
  await user.click(await screen.findByRole('button', { name: 'Actions for crm.example' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Deliveries' }));
  expect(await screen.findByText('Delivered')).toBeTruthy();
});

test('open deliveries show a new one after some seconds', async () => {
  let deliveries: WebhookDelivery[] = [];
  open('/webhooks?dialog=deliveries&id=7', { 'GET /api/webhooks/7/deliveries': () => deliveries });
  vi.useFakeTimers({ shouldAdvanceTime: true });
  expect(await screen.findByText('No deliveries yet')).toBeTruthy();
  deliveries = [DELIVERY];
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(await screen.findByText('The receiver responded with 500.')).toBeTruthy();
});

test('the page shows the current state of a webhook after a look at another page', async () => {
  let current = WEBHOOK;
  const { user } = open('/webhooks', { 'GET /api/webhooks': () => [current] });
  expect(await screen.findByText('On')).toBeTruthy();
  await user.click(screen.getByRole('link', { name: 'Funnels' }));
  await waitFor(() => expect(screen.queryByText('On')).toBeNull());
  current = { ...WEBHOOK, failingSince: '2026-11-25T12:00:00.000Z' };
  act(() => history.back());
  expect(await screen.findByText(/^Failing since/)).toBeTruthy();
});

test('a paused webhook shows the reason, and can be turned on again', async () => {
  const paused = {
    ...WEBHOOK,
    isActive: false,
    pausedAt: WEBHOOK.createdAt,
    pauseReason: 'Its receiver responded with 410.',
  };
  let current: OutgoingWebhook = paused;
  const { user, seen } = open('/webhooks', {
    'GET /api/webhooks': () => [current],
    'PUT /api/webhooks/7': () => {
      current = WEBHOOK;
      return current;
    },
  });
  expect(await screen.findByText(/Its receiver responded with 410\./)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Actions for crm.example' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Turn on' }));
  await expectToast('Webhook turned on', 'crm.example gets events again, including pending ones.');
  expect(seen.find(({ method }) => method === 'PUT')?.body).toMatchObject({ isActive: true, url: WEBHOOK.url });
  expect(await screen.findByText('On')).toBeTruthy();
});

test('replacing the secret shows the new one, and deleting asks first', async () => {
  const { user, seen } = open('/webhooks?dialog=replace-secret&id=7', {
    'POST /api/webhooks/7/secret': { secret: 'whsec_new' },
    'DELETE /api/webhooks/7': { message: 'Webhook deleted' },
  });
  await user.click(await screen.findByRole('button', { name: 'Replace secret' }));
  const shown = within(await screen.findByRole('dialog', { name: 'Secret for crm.example' }));
  expect(shown.getByLabelText('Secret')).toHaveProperty('value', 'whsec_new');
  await user.click(shown.getByRole('button', { name: 'Done' }));
  await user.click(await screen.findByRole('button', { name: 'Actions for crm.example' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  expect(seen.some(({ method }) => method === 'DELETE')).toBe(false);
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  await expectToast('Webhook deleted', 'Its URL gets no more events.');
});
