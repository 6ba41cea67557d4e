import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Automation } from '#contracts/automation.ts';
import { aStatus } from '#web/features/interviews/testing/open-dashboard.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { FakeSocket } from '#web/testing/fake-socket.ts';
import { cardOf, changesIn, numberedFunnel, openFunnels } from './testing/open-funnels.ts';

const automation = (part: Partial<Automation>): Automation => ({
  funnelId: 1,
  lastRefreshAt: null,
  hasWebhook: false,
  lastEventAt: null,
  lastError: null,
  pausedReason: null,
  awaitingInterviews: 0,
  ...part,
});

test('the card shows how the funnel is kept up to date, and Retry resumes what is paused', async () => {
  const states = [
    automation({ lastRefreshAt: '2026-03-01T10:00:00Z', lastError: 'The service is unavailable. Try again later.' }),
    automation({ funnelId: 2, pausedReason: 'The API key was rejected. Update it.' }),
    automation({ funnelId: 5, awaitingInterviews: 1 }),
    automation({ funnelId: 3, awaitingInterviews: 2, hasWebhook: true, lastEventAt: '2026-03-01T10:00:00Z' }),
  ];
  const { user, seen } = openFunnels(
    [
      numberedFunnel(1, { refreshMinutes: 15 }),
      numberedFunnel(2, { refreshMinutes: 60 }),
      numberedFunnel(3),
      numberedFunnel(4),
      numberedFunnel(5, { source: 'upload' }),
    ],
    {
      'GET /api/automations': () => states,
      'POST /api/funnels/2/resume': () => {
        states.splice(1, 1, automation({ funnelId: 2 }));
        return { message: 'Refreshing Funnel 2 in the background.' };
      },
    },
  );
  await screen.findByText(/^Last refresh: /);
  expect(cardOf('Funnel 1').getByText('Kept up to date every 15 minutes')).toBeTruthy();
  expect(
    cardOf('Funnel 1').getByText("The last refresh failed: The service is unavailable. We'll retry automatically."),
  ).toBeTruthy();
  expect(cardOf('Funnel 2').getByText('Automatic refreshes are paused')).toBeTruthy();
  const cause = 'The API key was rejected. Update it. To resume, click Retry.';
  expect(cardOf('Funnel 2').getByText(cause)).toBeTruthy();
  expect(cardOf('Funnel 3').getByText('Kept up to date by events of the service')).toBeTruthy();
  expect(cardOf('Funnel 3').getByText(/Daily limit reached: 2 new interviews/)).toBeTruthy();
  expect(cardOf('Funnel 3').getByText(/^Last event: /)).toBeTruthy();
  expect(cardOf('Funnel 5').getByRole('region', { name: 'Automation' }).textContent).toMatch(/^Daily limit reached: /);
  expect(cardOf('Funnel 4').queryByRole('region', { name: 'Automation' })).toBeNull();

  await user.click(cardOf('Funnel 2').getByRole('button', { name: 'Retry' }));
  await expectToast('Refresh Started', 'Refreshing Funnel 2 in the background.');
  await waitFor(() => expect(cardOf('Funnel 2').getByText('Kept up to date every 60 minutes')).toBeTruthy());
  // The button has disappeared.
  expect(document.activeElement).toBe(cardOf('Funnel 2').getByRole('region', { name: 'Automation' }));
  expect(changesIn(seen)).toMatchObject([{ path: '/api/funnels/2/resume' }]);
});

test('the card is current after each refresh, no matter who started it', async () => {
  const state = automation({});
  openFunnels([numberedFunnel(1, { refreshMinutes: 15 })], { 'GET /api/automations': () => [state] });
  await screen.findByText('Not refreshed yet');
  const send = (message: object) => {
    for (const socket of FakeSocket.all) socket.receive(message);
  };

  Object.assign(state, { lastRefreshAt: '2026-03-01T10:00:00Z' });
  send({ type: 'refresh-completed', data: aStatus({ message: 'Done' }) });
  await screen.findByText(/^Last refresh: /);

  Object.assign(state, { lastError: 'The key is wrong.' });
  send({ type: 'refresh-error', data: aStatus({ error: 'The key is wrong.' }) });
  await screen.findByText(/The last refresh failed: The key is wrong\./);

  Object.assign(state, { lastError: null });
  send({ type: 'funnels-changed' });
  await waitFor(() => expect(screen.queryByText(/The last refresh failed/)).toBeNull());
});

test('the dialog sets how the funnel is kept up to date', async () => {
  const { user, seen } = openFunnels([numberedFunnel(1, { refreshMinutes: 30, newInterviews: 'transcribe' })], {
    'PUT /api/funnels/1': numberedFunnel(1),
  });
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog'));
  const part = within(dialog.getByRole('group', { name: 'Automation' }));
  const minutes = part.getByLabelText('Refresh every (minutes)');
  expect(minutes).toHaveProperty('value', '30');
  const arrival = dialog.getByLabelText('When an interview arrives');
  expect(arrival).toHaveProperty('value', 'transcribe');
  await user.clear(minutes);
  await user.type(minutes, '5');
  await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
  expect(dialog.getByText('Refresh every must be a whole number of minutes from 15 to 10080')).toBeTruthy();
  expect(document.activeElement).toBe(minutes);
  await user.clear(minutes);
  await user.type(part.getByLabelText('Daily limit'), '20');
  await user.selectOptions(arrival, 'Transcribe and summarize');
  await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
  await expectToast('Funnel updated', 'Funnel has been updated successfully.');
  expect(changesIn(seen)).toMatchObject([
    { body: { refreshMinutes: null, newInterviews: 'summarize', dailyLimit: 20, processAutomatically: false } },
  ]);
});

test('one choice sets the processing of new interviews, and publishing includes the other steps', async () => {
  const { user, seen } = openFunnels([numberedFunnel(1, { processAutomatically: true, newInterviews: 'nothing' })], {
    'PUT /api/funnels/1': numberedFunnel(1),
  });
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog'));
  const arrival = dialog.getByLabelText('When an interview arrives');
  expect(
    within(arrival)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Do nothing', 'Transcribe', 'Transcribe and summarize', 'Also publish to YouTube']);
  expect(arrival).toHaveProperty('value', 'publish');
  await user.selectOptions(arrival, 'Transcribe');
  await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
  await expectToast('Funnel updated', 'Funnel has been updated successfully.');
  expect(changesIn(seen)).toMatchObject([{ body: { processAutomatically: false, newInterviews: 'transcribe' } }]);
});

test('the dialog shows the webhook address with Copy, and stores the signing secret of a service that signs', async () => {
  const webhook = (part: object = {}) => ({
    path: '/hooks/hireflix/abc',
    isSigned: true,
    hasSigningSecret: false,
    ...part,
  });
  const { user, seen } = openFunnels([numberedFunnel(1, { source: 'hireflix' })], {
    'POST /api/funnels/1/webhook': webhook(),
    'POST /api/funnels/1/webhook/renew': webhook({ path: '/hooks/hireflix/def' }),
    'PUT /api/funnels/1/webhook/signing-secret': webhook({ path: '/hooks/hireflix/def', hasSigningSecret: true }),
  });
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Show webhook address' }));
  expect(await dialog.findByLabelText('Webhook address')).toHaveProperty(
    'value',
    `${location.origin}/hooks/hireflix/abc`,
  );
  await user.click(dialog.getByRole('button', { name: 'Copy' }));
  await expectToast('Address copied');
  expect(await navigator.clipboard.readText()).toBe(`${location.origin}/hooks/hireflix/abc`);

  await user.click(dialog.getByRole('button', { name: 'Replace' }));
  await waitFor(() =>
    expect(dialog.getByLabelText('Webhook address')).toHaveProperty('value', `${location.origin}/hooks/hireflix/def`),
  );
  await user.type(dialog.getByLabelText('Signing secret'), 'whsec');
  await user.click(dialog.getByRole('button', { name: 'Store' }));
  await dialog.findByText('Stored encrypted. Enter another one to replace it.');
  expect(changesIn(seen).at(-1)).toMatchObject({ body: { signingSecret: 'whsec' } });
});

test('a webhook address is offered for the stored source only, and never for uploads', async () => {
  const { user } = openFunnels([numberedFunnel(1)], { 'GET /api/setup': { sources: ['rest', 'hireflix', 'upload'] } });
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog'));
  const source = await dialog.findByLabelText('Source');
  expect(dialog.getByRole('button', { name: 'Show webhook address' })).toBeTruthy();
  await user.selectOptions(source, 'Hireflix');
  expect(dialog.queryByRole('button', { name: 'Show webhook address' })).toBeNull();
  expect(dialog.getByText('Save the funnel to get its webhook URL.')).toBeTruthy();
  await user.selectOptions(source, 'Uploaded recordings');
  expect(dialog.queryByText(/webhook/)).toBeNull();
});
