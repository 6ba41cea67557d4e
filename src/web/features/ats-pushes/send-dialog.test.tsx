import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { AtsPush } from '#contracts/ats-pushes.ts';
import type { Interview } from '#contracts/interviews.ts';
import {
  anInterview,
  card,
  findCard,
  openDashboard,
  READY,
  sendLive,
} from '#web/features/interviews/testing/open-dashboard.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { json } from '#web/testing/server-edge.ts';

const PUSH: AtsPush = {
  state: 'sent',
  isChanged: false,
  url: 'https://bullhorn.example/1001',
  error: null,
  sentAt: '2026-11-25T10:00:00.000Z',
};
const CANDIDATE = { id: '1001', name: 'Amara Okafor', email: 'amara@example.com', url: null };
const JOB = { employerId: '4711', employerName: 'Northwind', jobId: '88', title: 'Nurse', isOpen: true, url: null };
const SENDABLE = { candidates: [CANDIDATE], job: JOB, note: 'Calm.\n\nWatch the interview: https://x', push: null };
const ATS = { name: 'Bullhorn', state: 'connected', account: 'api' };

function open(part: Partial<Interview> = {}, responses: Parameters<typeof openDashboard>[1] = {}) {
  return openDashboard([anInterview({ ...READY, destinationId: 'BUB-4711-88', ...part })], {
    'GET /api/ats': ATS,
    'GET /api/interviews/int-1/ats': SENDABLE,
    'GET /api/shares': [],
    'POST /api/interviews/int-1/ats': () => json({ ...PUSH, state: 'pending', sentAt: null }, 202),
    ...responses,
  });
}

async function openDialog(...settings: Parameters<typeof open>) {
  const dashboard = open(...settings);
  await dashboard.user.click((await findCard()).getByRole('button', { name: /^Actions/ }));
  await dashboard.user.click(await screen.findByRole('menuitem', { name: /Bullhorn/ }));
  const dialog = within(await screen.findByRole('dialog'));
  return { ...dashboard, dialog };
}

const sent = (seen: { method: string; body: unknown }[]) => seen.find(({ method }) => method === 'POST')?.body;

test('the dialog shows the candidate, the job and the note, and sends it', async () => {
  const { user, dialog, seen } = await openDialog();
  expect(await dialog.findByText('Amara Okafor')).toBeTruthy();
  expect(dialog.getByText('Nurse')).toBeTruthy();
  expect(dialog.getByText(/Watch the interview: https:\/\/x/)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Send' }));
  await expectToast('Sending to Bullhorn', 'The card shows when the note has been stored.');
  expect(sent(seen)).toEqual({ candidateId: '1001', shareId: null });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('with several candidates, the user must choose one', async () => {
  const candidates = [CANDIDATE, { ...CANDIDATE, id: '1008', name: 'Amara O.' }];
  const { user, dialog, seen } = await openDialog({}, { 'GET /api/interviews/int-1/ats': { ...SENDABLE, candidates } });
  expect(await dialog.findByText(/2 candidates have this e-mail address/)).toBeTruthy();
  expect(dialog.getByRole('button', { name: 'Send' })).toHaveProperty('disabled', true);
  await user.click(dialog.getByRole('radio', { name: /Amara O\./ }));
  await user.click(dialog.getByRole('button', { name: 'Send' }));
  await expectToast('Sending to Bullhorn', 'The card shows when the note has been stored.');
  expect(sent(seen)).toEqual({ candidateId: '1008', shareId: null });
});

test('with several candidates, an update goes to the one who has the note, unless the user chooses another', async () => {
  const candidates = ['1001', '1008'].map((id) => ({
    ...CANDIDATE,
    id,
    name: id,
    url: `https://bullhorn.example/${id}`,
  }));
  const sendable = { ...SENDABLE, candidates, push: { ...PUSH, url: 'https://bullhorn.example/1008' } };
  const { user, dialog, seen } = await openDialog({}, { 'GET /api/interviews/int-1/ats': sendable });
  expect(await dialog.findByRole('radio', { name: /^1008/ })).toHaveProperty('checked', true);
  expect(dialog.getByRole('button', { name: 'Update the note' })).toHaveProperty('disabled', true);
  await user.click(dialog.getByRole('radio', { name: /^1001/ }));
  await user.click(dialog.getByRole('button', { name: 'Update the note' }));
  await expectToast('Sending to Bullhorn', 'The card shows when the note has been stored.');
  expect(sent(seen)).toEqual({ candidateId: '1001', shareId: null });
});

test.each<[string, object, RegExp]>([
  ['no candidate', { candidates: [] }, /Bullhorn has no candidate with the e-mail address amara@example.com/],
  ['no job', { job: null }, /Bullhorn has no job BUB-4711-88/],
])('with %s, the dialog explains what to do', async (_, part, text) => {
  const { dialog } = await openDialog({}, { 'GET /api/interviews/int-1/ats': { ...SENDABLE, ...part } });
  expect(await dialog.findByText(text)).toBeTruthy();
  expect(dialog.getByRole('button', { name: 'Send' })).toHaveProperty('disabled', true);
});

test('if Bullhorn does not respond, an error with a retry is shown', async () => {
  let isDown = true;
  const { user, dialog } = await openDialog(
    {},
    {
      'GET /api/interviews/int-1/ats': () =>
        isDown ? json({ message: "Bullhorn can't be reached.", code: 'upstream_failed' }, 502) : json(SENDABLE),
    },
  );
  expect(await dialog.findByText("Bullhorn can't be reached.")).toBeTruthy();
  isDown = false;
  await user.click(dialog.getByRole('button', { name: 'Retry' }));
  expect(await dialog.findByText('Nurse')).toBeTruthy();
});

test.each<[string, Partial<AtsPush>, string]>([
  ['Sent', {}, 'Update the note'],
  ['Changed since', { isChanged: true }, 'Update the note'],
  ['Failed', { state: 'failed', error: 'Bullhorn rejected it.', sentAt: null }, 'Send again'],
  ['Unclear', { state: 'unclear', error: "Bullhorn can't be reached.", sentAt: null }, 'Check now'],
  ['Sending', { state: 'pending', sentAt: null }, 'Send'],
])('the chip of a note shows "%s" with the reason, and opens the dialog', async (label, part, action) => {
  const push = { ...PUSH, ...part };
  const { user } = open({ push }, { 'GET /api/interviews/int-1/ats': { ...SENDABLE, push } });
  const shown = await findCard();
  const chip = await shown.findByRole('button', { name: `Bullhorn: ${label}` });
  if (push.error) expect(shown.getByText(push.error)).toBeTruthy();
  await user.click(chip);
  const dialog = within(await screen.findByRole('dialog'));
  const button = await dialog.findByRole('button', { name: action });
  await dialog.findByText('Nurse');
  const isDisabled = label === 'Sent' || label === 'Sending';
  expect(button).toHaveProperty('disabled', isDisabled);
});

test("the client's verdict is added when the user chooses it", async () => {
  const share = {
    ...{ id: 7, batchId: 1, title: 'Two nurses', recipient: { name: 'Ann Lee', email: null } },
    interviews: [{ interviewId: 'int-1', verdict: 'yes' }],
  };
  const { user, dialog, seen } = await openDialog({}, { 'GET /api/shares': [share] });
  await user.selectOptions(await dialog.findByRole('combobox', { name: "Client's verdict" }), 'Ann Lee: Yes');
  await waitFor(() => expect(seen.some(({ query }) => query.get('shareId') === '7')).toBe(true));
  await user.click(dialog.getByRole('button', { name: 'Send' }));
  await expectToast('Sending to Bullhorn', 'The card shows when the note has been stored.');
  expect(sent(seen)).toEqual({ candidateId: '1001', shareId: 7 });
});

test('the card follows the state live', async () => {
  const interview = anInterview({ ...READY, destinationId: 'BUB-4711-88', push: { ...PUSH, state: 'pending' } });
  openDashboard([interview], {
    'GET /api/ats': ATS,
    'GET /api/interviews': () => ({ interviews: [interview], total: 1 }),
  });
  await (await findCard()).findByRole('button', { name: 'Bullhorn: Sending' });
  Object.assign(interview, { push: PUSH });
  await sendLive({ type: 'interview-edited', data: { interviewId: 'int-1' } });
  expect(await card().findByRole('button', { name: 'Bullhorn: Sent' })).toBeTruthy();
});

test.each<[string, object, Partial<Interview>]>([
  ['without an ATS', { name: null, state: 'not_configured', account: null }, {}],
  ['without a destination', ATS, { destinationId: null }],
])('%s, there is nothing to send', async (_, ats, part) => {
  const { user } = open(part, { 'GET /api/ats': ats });
  await user.click((await findCard()).getByRole('button', { name: /^Actions/ }));
  await screen.findByRole('menuitem', { name: 'Share' });
  expect(screen.queryByRole('menuitem', { name: /Send to|Update the note/ })).toBeNull();
});

async function setDestination() {
  const { user } = openDashboard([anInterview(READY)], {
    'GET /api/ats': ATS,
    'GET /api/ats/jobs': [],
    'GET /api/interviews/int-1/ats': SENDABLE,
    'GET /api/shares': [],
    'POST /api/interviews/int-1/destination': { message: 'Linked.', warning: null },
  });
  await user.click((await findCard()).getByRole('tab', { name: 'Destination' }));
  await user.click(card().getByRole('button', { name: 'Set Destination' }));
  await user.type(await screen.findByLabelText(/Employer ID/), '4711');
  await user.type(screen.getByLabelText(/Job ID/), '88');
  await user.click(screen.getByRole('button', { name: 'Set Destination' }));
  await screen.findByRole('button', { name: 'Send to Bullhorn' });
  return user;
}

test('the toast after Set Destination offers to send the interview', async () => {
  const user = await setDestination();
  await user.click(screen.getByRole('button', { name: 'Send to Bullhorn' }));
  expect(await screen.findByRole('dialog', { name: 'Send to Bullhorn' })).toBeTruthy();
});

test('the toast after Set Destination sends the interview also from another page', async () => {
  const user = await setDestination();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('link', { name: 'Funnels' }));
  await screen.findByRole('heading', { name: 'Funnel Management' });
  await user.click(screen.getByRole('button', { name: 'Send to Bullhorn' }));
  expect(await screen.findByRole('dialog', { name: 'Send to Bullhorn' })).toBeTruthy();
});
