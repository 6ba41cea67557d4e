import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Interview } from '#contracts/interviews.ts';
import {
  anInterview,
  card,
  findCard,
  openDashboard,
  READY,
  sendLive,
} from '#web/features/interviews/testing/open-dashboard.ts';
import { currentToasts } from '#web/lib/toast.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { json } from '#web/testing/server-edge.ts';

async function open(button: string, part: Partial<Interview> = {}, responses = {}) {
  const dashboard = openDashboard([anInterview({ ...READY, ...part })], {
    'POST /api/interviews/int-1/destination': { message: 'Linked.' },
    ...responses,
  });
  await dashboard.user.click((await findCard()).getByRole('tab', { name: 'Destination' }));
  await dashboard.user.click(card().getByRole('button', { name: button }));
  await screen.findByRole('dialog');
  return dashboard;
}
const posted = (seen: { method: string; body: unknown }[]) => seen.find(({ method }) => method === 'POST')?.body;

test('a destination is saved as trimmed ids with the prefix, and trimmed notes', async () => {
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

test('the dialog opens with the cursor in the Employer ID', async () => {
  const { user } = await open('Set Destination');
  await user.keyboard('ACME');
  expect(screen.getByLabelText(/Employer ID/)).toHaveProperty('value', 'ACME');
});

test('notes are optional', async () => {
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
  expect(screen.getByText('Job ID is required')).toBeTruthy();
  expect(screen.queryByText('Employer ID is required')).toBeNull();
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

test('a failed save of a destination shows the reason', async () => {
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

const writeNotes = async (user: UserEvent, notes: string) => {
  await user.click(screen.getByRole('tab', { name: 'Additional Notes' }));
  await user.type(screen.getByLabelText('Notes'), notes);
};

test('Escape asks before it discards notes', async () => {
  const { user } = await open('Set Destination');
  await writeNotes(user, 'call back');
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect(screen.getByLabelText('Notes')).toHaveProperty('value', 'call back');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await user.click(await screen.findByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(card().getByRole('button', { name: 'Set Destination' }));
  await user.click(await screen.findByRole('tab', { name: 'Additional Notes' }));
  expect(screen.getByLabelText('Notes')).toHaveProperty('value', '');
});

test('unsaved changes survive the end of the session', async () => {
  let signedIn = false;
  const { user } = await open(
    'Set Destination',
    {},
    {
      'POST /api/interviews/int-1/destination': () =>
        signedIn ? json({ message: 'Linked.' }) : json({ message: 'Please sign in' }, 401),
      'POST /api/login': { id: 1, username: 'dana' },
    },
  );
  await user.type(screen.getByLabelText(/Employer ID/), 'ACME');
  await user.type(screen.getByLabelText(/Job ID/), '7');
  await writeNotes(user, 'call back');
  await user.click(screen.getByRole('button', { name: 'Set Destination' }));
  await user.type(await screen.findByLabelText('Username'), 'dana');
  await user.type(screen.getByLabelText('Password'), 'secret');
  signedIn = true;
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText(/restored your unsaved changes/)).toBeTruthy();
  expect(screen.getByLabelText(/Job ID/)).toHaveProperty('value', '7');
  await user.click(screen.getByRole('button', { name: 'Set Destination' }));
  await expectToast('Destination Updated');
  expect(Object.keys(sessionStorage).filter((key) => key.startsWith('draft'))).toEqual([]);
});

test("another user's version is shown before it is overwritten", async () => {
  const interview = anInterview(READY);
  const { user } = await open(
    'Set Destination',
    {},
    { 'GET /api/interviews': () => ({ interviews: [interview], total: 1 }) },
  );
  await user.type(screen.getByLabelText(/Employer ID/), 'ACME');
  const destination = { id: 'BUB-OTHER-9', url: null, notes: 'promised to Olga', added: null };
  Object.assign(interview, { destinationId: destination.id, processingStatus: { questions: [], destination } });
  await sendLive({ type: 'interview-edited', data: { interviewId: 'int-1' } });
  expect(await screen.findByText(/Someone else edited this destination/)).toBeTruthy();
  expect(screen.getByText('BUB-OTHER-9')).toBeTruthy();
  expect(screen.getByText('promised to Olga')).toBeTruthy();
  expect(screen.getByLabelText(/Employer ID/)).toHaveProperty('value', 'ACME');
});

test('an unchanged dialog follows the changes of another user', async () => {
  const interview = anInterview(READY);
  await open('Set Destination', {}, { 'GET /api/interviews': () => ({ interviews: [interview], total: 1 }) });
  Object.assign(interview, { destinationId: 'BUB-OTHER-9' });
  await sendLive({ type: 'interview-edited', data: { interviewId: 'int-1' } });
  await waitFor(() => expect(screen.getByLabelText(/Job ID/)).toHaveProperty('value', '9'));
  expect(screen.getByRole('dialog', { name: 'Update Destination' })).toBeTruthy();
  // An edit by a colleague is not the end of a step, so it shows no toast.
  expect(currentToasts().map(({ title }) => title)).not.toContain('Interview Edited');
});

const DEFAULTS = { employerId: 'MERCY', linkTemplate: 'https://ats.test/{employerId}/{jobId}' };
const withDefaults = { 'GET /api/funnels/1/destination-defaults': () => DEFAULTS };

test('the Employer ID starts with the last one of the client, and can be changed', async () => {
  const { user, seen } = await open('Set Destination', {}, withDefaults);
  await waitFor(() => expect(screen.getByLabelText(/Employer ID/)).toHaveProperty('value', 'MERCY'));
  // The cursor is where text is missing.
  expect(document.activeElement).toBe(screen.getByLabelText(/Job ID/));
  // A suggestion is not a change, so nothing is discarded.
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(card().getByRole('button', { name: 'Set Destination' }));
  const employer = await screen.findByLabelText(/Employer ID/);
  expect(employer).toHaveProperty('value', 'MERCY');
  await user.clear(employer);
  await user.type(employer, 'ACME');
  await user.type(screen.getByLabelText(/Job ID/), '7');
  await user.click(screen.getByRole('button', { name: 'Set Destination' }));
  await expectToast('Destination Updated');
  expect(posted(seen)).toEqual({ destinationId: 'BUB-ACME-7', notes: '' });
});

test('an Employer ID that arrives late does not replace what was typed', async () => {
  const response = Promise.withResolvers<object>();
  const { user } = await open(
    'Set Destination',
    {},
    { 'GET /api/funnels/1/destination-defaults': () => response.promise },
  );
  await user.type(screen.getByLabelText(/Employer ID/), 'AC');
  response.resolve(DEFAULTS);
  await user.keyboard('ME');
  expect(screen.getByLabelText(/Employer ID/)).toHaveProperty('value', 'ACME');
  expect(screen.queryByText(/Someone else edited/)).toBeNull();
});

test('an existing destination keeps its Employer ID', async () => {
  await open('Update', { destinationId: 'BUB-ACME-7' }, withDefaults);
  expect(screen.getByLabelText(/Employer ID/)).toHaveProperty('value', 'ACME');
});

test.each([
  ['BUB-ACME-2026-07', /Employer ID/],
  ['https://ats.test/ACME/2026-07', /Job ID/],
])('%s pasted into either field fills both', async (text, field) => {
  const { user } = await open('Set Destination', {}, withDefaults);
  await waitFor(() => expect(screen.getByLabelText(/Employer ID/)).toHaveProperty('value', 'MERCY'));
  await user.click(screen.getByLabelText(field));
  await user.paste(text);
  expect(screen.getByLabelText(/Employer ID/)).toHaveProperty('value', 'ACME');
  expect(screen.getByLabelText(/Job ID/)).toHaveProperty('value', '2026-07');
});

const JOB = {
  employerId: '4711',
  employerName: 'Northwind Health',
  jobId: '88',
  title: 'Nurse',
  isOpen: true,
  url: null,
};
const OTHER_JOB = { ...JOB, jobId: '95', title: 'Night Nurse' };
const withBullhorn = {
  'GET /api/ats': { name: 'Bullhorn', state: 'connected', account: 'api' },
  'GET /api/ats/jobs': [JOB, OTHER_JOB],
};

test('choosing a job from the ATS fills both ids, by keyboard alone', async () => {
  const { user, seen } = await open('Set Destination', {}, withBullhorn);
  const search = await screen.findByRole('combobox', { name: 'Find in Bullhorn' });
  // The cursor still starts in the Employer ID.
  expect(document.activeElement).toBe(screen.getByLabelText(/Employer ID/));
  expect(screen.getAllByRole('textbox').length).toBe(2);
  await user.type(search, 'nurse');
  expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual([
    'NurseNorthwind Health · 4711-88',
    'Night NurseNorthwind Health · 4711-95',
  ]);
  expect(search.getAttribute('aria-expanded')).toBe('true');
  await user.keyboard('{ArrowDown}');
  expect(screen.getByRole('option', { selected: true }).id).toBe(search.getAttribute('aria-activedescendant'));
  await user.keyboard('{Enter}');
  expect(screen.getByLabelText(/Employer ID/)).toHaveProperty('value', '4711');
  expect(screen.getByLabelText(/Job ID/)).toHaveProperty('value', '95');
  expect(screen.queryByRole('option')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Set Destination' }));
  await expectToast('Destination Updated');
  expect(posted(seen)).toEqual({ destinationId: 'BUB-4711-95', notes: '' });
  expect(seen.filter(({ path }) => path === '/api/ats/jobs').map(({ query }) => query.get('search'))).toEqual([
    'nurse',
  ]);
});

test('Escape clears the search for a job before it closes the dialog, and Enter saves nothing', async () => {
  const { user, seen } = await open('Set Destination', {}, withBullhorn);
  const search = await screen.findByRole('combobox', { name: 'Find in Bullhorn' });
  await user.type(search, 'x{Enter}');
  await user.keyboard('{Escape}');
  expect(search).toHaveProperty('value', '');
  expect(posted(seen)).toBeUndefined();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test.each([
  ['no job', [], 'No open jobs found'],
  ['a failure', () => json({ message: "Bullhorn didn't respond in time. Try again." }, 502), /didn't respond in time/],
])('a search that ends with %s reports it', async (_, response, message) => {
  const { user } = await open('Set Destination', {}, { ...withBullhorn, 'GET /api/ats/jobs': response });
  await user.type(await screen.findByRole('combobox', { name: 'Find in Bullhorn' }), 'nurse');
  expect(await screen.findByText(message)).toBeTruthy();
});

test('without a connected ATS, the job search is hidden', async () => {
  const { seen } = await open(
    'Set Destination',
    {},
    { 'GET /api/ats': { name: 'Bullhorn', state: 'reconnect', account: 'api' } },
  );
  await waitFor(() => expect(seen.some(({ path }) => path === '/api/ats')).toBe(true));
  expect(screen.queryByRole('combobox')).toBeNull();
});

test('a warning about a saved destination shows the mismatch with the ATS', async () => {
  const text = 'Bullhorn has no job 7. Check the Job ID.';
  const { user } = await open(
    'Set Destination',
    {},
    { 'POST /api/interviews/int-1/destination': { message: 'Linked.', warning: { kind: 'missing', text } } },
  );
  await user.type(screen.getByLabelText(/Employer ID/), 'ACME');
  await user.type(screen.getByLabelText(/Job ID/), '7');
  await user.click(screen.getByRole('button', { name: 'Set Destination' }));
  await expectToast('Destination Updated', text, 'warning');
});
