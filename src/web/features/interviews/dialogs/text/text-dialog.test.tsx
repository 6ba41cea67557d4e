import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import {
  anInterview,
  card,
  findCard,
  openDashboard,
  READY,
  sendLive,
} from '#web/features/interviews/testing/open-dashboard.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { json, type SeenRequest } from '#web/testing/server-edge.ts';

/** Versions of a text, as the server names them. */
const FIRST = 'a'.repeat(64);
const SECOND = 'b'.repeat(64);
const TEXTS = { transcriptionText: 'What was said', summaryText: 'What it means' };

async function view(what: 'Transcript' | 'Summary', responses = {}) {
  const dashboard = openDashboard([anInterview(READY)], {
    'GET /api/interviews/int-1/transcript': {
      transcriptionText: TEXTS.transcriptionText,
      version: FIRST,
      source: 'staff',
      segments: [],
    },
    'GET /api/interviews/int-1/summary': { summaryText: TEXTS.summaryText, version: FIRST, structure: null },
    ...responses,
  });
  await dashboard.user.click((await findCard()).getByRole('tab', { name: what }));
  await dashboard.user.click(card().getByRole('button', { name: `View ${what}` }));
  await within(await screen.findByRole('dialog', { name: what })).findByText(/^What (was said|it means)$/);
  return dashboard;
}

for (const [what, call, field, text] of [
  ['Transcript', 'transcript', 'transcriptionText', TEXTS.transcriptionText],
  ['Summary', 'summary', 'summaryText', TEXTS.summaryText],
] as const) {
  test(`a ${call} can be read and edited`, async () => {
    const { user, seen, lists } = await view(what, { [`PUT /api/interviews/int-1/${call}`]: { message: 'Saved.' } });
    expect(screen.getByText(text)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Edit' }));
    await user.type(screen.getByLabelText(`${what} text`), '!');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await expectToast(`${what} Updated`);
    await waitFor(() => expect(lists()).toHaveLength(2));
    expect(seen.find(({ method }) => method === 'PUT')?.body).toEqual({ [field]: `${text}!`, basedOn: FIRST });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test(`Edit puts the cursor into the ${call}, and closing puts the focus back to the button that opened it`, async () => {
    const { user } = await view(what);
    await user.click(screen.getByRole('button', { name: 'Edit' }));
    const area = screen.getByLabelText(`${what} text`);
    // The closed viewer returns the focus a moment later.
    await new Promise((later) => setTimeout(later, 20));
    expect(document.activeElement).toBe(area);
    await user.keyboard('{Escape}');
    const opener = card().getByRole('button', { name: `View ${what}` });
    await waitFor(() => expect(document.activeElement).toBe(opener));
  });

  test(`a ${call} is copied`, async () => {
    const { user } = await view(what);
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    await expectToast('Copied');
    expect(await navigator.clipboard.readText()).toBe(text);
  });

  test(`an empty ${call}, saved by Control and Enter, is rejected at its field and without a call`, async () => {
    const { user, seen } = await view(what);
    await user.click(screen.getByRole('button', { name: 'Edit' }));
    await user.clear(screen.getByLabelText(`${what} text`));
    await user.type(screen.getByLabelText(`${what} text`), '  ');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await expectToast('Validation Error', `${what} text cannot be empty`, 'destructive');
    expect(screen.getByText('Enter some text to save, or cancel')).toBeTruthy();
    expect(seen.some(({ method }) => method === 'PUT')).toBe(false);
  });

  test(`a ${call} that cannot be saved stays in the editor`, async () => {
    const { user } = await view(what, {
      [`PUT /api/interviews/int-1/${call}`]: () => json({ message: 'The database is down' }, 503),
    });
    await user.click(screen.getByRole('button', { name: 'Edit' }));
    await user.type(screen.getByLabelText(`${what} text`), '!');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await expectToast('Error', `Failed to update ${call}: The database is down`, 'destructive');
    expect(screen.getByLabelText(`${what} text`)).toHaveProperty('value', `${text}!`);
  });
}

test('Escape asks before it discards text', async () => {
  const { user } = await view('Transcript');
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  await user.type(screen.getByLabelText('Transcript text'), ' and more');
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect(screen.getByLabelText('Transcript text')).toHaveProperty('value', 'What was said and more');
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('unsaved text survives the end of the session', async () => {
  const { user } = await view('Summary', {
    'PUT /api/interviews/int-1/summary': () => json({ message: 'Please sign in' }, 401),
    'POST /api/login': { id: 1, username: 'dana' },
  });
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  await user.type(screen.getByLabelText('Summary text'), ' And more.');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Your session ended. Your text is kept.')).toBeTruthy();
  await user.type(await screen.findByLabelText('Username'), 'dana');
  await user.type(screen.getByLabelText('Password'), 'secret');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText(/restored your unsaved changes/)).toBeTruthy();
  expect(screen.getByLabelText('Summary text')).toHaveProperty('value', 'What it means And more.');
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(screen.getByLabelText('Summary text')).toHaveProperty('value', 'What it means');
  expect(screen.queryByText(/restored your unsaved changes/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByRole('button', { name: 'Edit' })).toBeTruthy();
});

test('unsaved text is not shown to the next user of the browser', async () => {
  const { user } = await view('Summary', {
    'PUT /api/interviews/int-1/summary': () => json({ message: 'Please sign in' }, 401),
    'POST /api/login': { id: 2, username: 'eve' },
  });
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  await user.type(screen.getByLabelText('Summary text'), ' And more.');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await user.type(await screen.findByLabelText('Username'), 'eve');
  await user.type(screen.getByLabelText('Password'), 'secret');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await screen.findByText(TEXTS.summaryText);
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  expect(screen.getByLabelText('Summary text')).toHaveProperty('value', 'What it means');
});

test('the version of another user is shown, and overwritten only by saving again', async () => {
  let stored = { summaryText: TEXTS.summaryText, version: FIRST };
  const { user, seen } = await view('Summary', {
    'GET /api/interviews/int-1/summary': () => json({ ...stored, structure: null }),
    'PUT /api/interviews/int-1/summary': ({ body }: SeenRequest) =>
      (body as { basedOn: string }).basedOn === stored.version
        ? json({ message: 'Summary updated' })
        : json({ message: 'Someone else edited this summary after you opened it.', code: 'text_changed' }, 409),
  });
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  await user.type(screen.getByLabelText('Summary text'), ' Mine.');
  stored = { summaryText: 'What it means. Theirs.', version: SECOND };
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByLabelText('The stored summary')).toHaveProperty('value', 'What it means. Theirs.');
  expect(screen.getByLabelText('Summary text')).toHaveProperty('value', 'What it means Mine.');
  await user.click(screen.getByRole('button', { name: 'Save Anyway' }));
  await expectToast('Summary Updated');
  expect(seen.findLast(({ method }) => method === 'PUT')?.body).toEqual({
    summaryText: 'What it means Mine.',
    basedOn: SECOND,
  });
});

test('the version of another user can be inserted at the cursor', async () => {
  let stored = { summaryText: TEXTS.summaryText, version: FIRST };
  const { user } = await view('Summary', {
    'GET /api/interviews/int-1/summary': () => json({ ...stored, structure: null }),
    'PUT /api/interviews/int-1/summary': () =>
      json({ message: 'Someone else edited this summary after you opened it.', code: 'text_changed' }, 409),
  });
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  await user.type(await screen.findByLabelText('Summary text'), ' Mine.');
  stored = { summaryText: ' Theirs.', version: SECOND };
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await user.click(await screen.findByRole('button', { name: 'Insert theirs' }));
  expect(screen.getByLabelText('Summary text')).toHaveProperty('value', 'What it means Mine. Theirs.');
  expect(screen.getByRole('button', { name: 'Save Anyway' })).toBeTruthy();
});

test('Control and Enter replace the version of another user only when pressed twice', async () => {
  let stored = { summaryText: TEXTS.summaryText, version: FIRST };
  const { user, seen } = await view('Summary', {
    'GET /api/interviews/int-1/summary': () => json({ ...stored, structure: null }),
    'PUT /api/interviews/int-1/summary': ({ body }: SeenRequest) =>
      (body as { basedOn: string }).basedOn === stored.version
        ? json({ message: 'Summary updated' })
        : json({ message: 'Someone else edited this summary after you opened it.', code: 'text_changed' }, 409),
  });
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  await user.type(screen.getByLabelText('Summary text'), ' Mine.');
  stored = { summaryText: 'Theirs.', version: SECOND };
  await user.keyboard('{Control>}{Enter}{/Control}');
  await screen.findByLabelText('The stored summary');
  const saves = () => seen.filter(({ method }) => method === 'PUT').length;
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(await screen.findByText('Press Ctrl+Enter again to replace it.')).toBeTruthy();
  expect(saves()).toBe(1);
  await user.keyboard('{Control>}{Enter}{/Control}');
  await expectToast('Summary Updated');
  expect(saves()).toBe(2);
});

test('Escape closes a dialog even while a toast is visible', async () => {
  const { user } = await view('Summary');
  await sendLive({ type: 'conversion-completed', data: { interviewId: 'int-1', message: 'Done.' } });
  await expectToast('Conversion Completed', 'Done.');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('the text of another interview, opened from a toast, is not mixed with the one being edited', async () => {
  const transcript = (text: string, version: string) => ({
    ...{ transcriptionText: text, version, source: 'staff', segments: [] },
  });
  const { user } = openDashboard(
    [anInterview(READY), anInterview({ ...READY, id: 'int-2', title: 'Ben for Nursing' })],
    {
      'GET /api/interviews/int-1/transcript': transcript('Amara said', FIRST),
      'GET /api/interviews/int-2/transcript': transcript('Ben said', SECOND),
    },
    '/?dialog=transcript&id=int-2',
  );
  await screen.findByText('Ben said');
  await user.keyboard('{Escape}');
  await user.click((await findCard()).getByRole('tab', { name: 'Transcript' }));
  await user.click(card().getByRole('button', { name: 'View Transcript' }));
  await screen.findByText('Amara said');
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  await user.type(screen.getByLabelText('Transcript text'), '!');
  await sendLive({ type: 'transcription-completed', data: { interviewId: 'int-2', message: 'Ben is done.' } });
  await expectToast('Transcription Completed', 'Ben is done.');
  await user.click(screen.getByRole('button', { name: 'View' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Transcript' }));
  expect(await dialog.findByText('Ben said')).toBeTruthy();
  expect(screen.queryByLabelText('Transcript text')).toBeNull();
});
