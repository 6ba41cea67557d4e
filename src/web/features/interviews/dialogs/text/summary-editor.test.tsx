import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import {
  anInterview,
  aSummary,
  card,
  findCard,
  openDashboard,
  READY,
} from '#web/features/interviews/testing/open-dashboard.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { json, type SeenRequest } from '#web/testing/server-edge.ts';

const FIRST = 'a'.repeat(64);
const SECOND = 'b'.repeat(64);
const STORED = { summaryText: 'As text.', version: FIRST, structure: aSummary() };

async function viewSummary(responses = {}) {
  const dashboard = openDashboard([anInterview(READY)], {
    'GET /api/interviews/int-1/summary': STORED,
    'PUT /api/interviews/int-1/summary': { message: 'Summary updated' },
    ...responses,
  });
  await dashboard.user.click((await findCard()).getByRole('tab', { name: 'Summary' }));
  await dashboard.user.click(card().getByRole('button', { name: 'View Summary' }));
  await within(await screen.findByRole('dialog', { name: 'Summary' })).findByText('Plans ahead.');
  return dashboard;
}

const dialog = () => within(screen.getByRole('dialog', { name: 'Summary' }));
const saved = (seen: SeenRequest[]) => seen.findLast(({ method }) => method === 'PUT')?.body;

test('a summary is edited by section, and verdicts, notes, quotes and their times are kept', async () => {
  const { user, seen } = await viewSummary();
  await user.click(dialog().getByRole('button', { name: 'Edit' }));
  await user.type(dialog().getByLabelText('Overview'), ' Sleeps well.');
  await user.selectOptions(dialog().getByLabelText('Verdict: Culture Expectations'), 'Met');
  await user.type(dialog().getByLabelText('Note: Culture Expectations'), 'Helps others.');
  await user.clear(dialog().getByLabelText('Note: Skills'));
  await user.type(dialog().getByLabelText('Quote 1: Skills'), ' with care');
  await user.type(dialog().getByLabelText('Open questions'), '{Enter}{Enter}Night shifts?');
  await user.click(dialog().getByRole('button', { name: 'Save' }));
  await expectToast('Summary Updated');
  const structure = aSummary();
  const [skills, culture] = structure.expectations;
  expect(saved(seen)).toEqual({
    summaryText: `Overview
Plans ahead. Sleeps well.

Skills: Partly met
- [1:04] “We plan every shift with care”

Culture Expectations: Met
Helps others.

Open questions
- Which forklift licence do you have?
- Night shifts?`,
    structure: {
      ...structure,
      overview: 'Plans ahead. Sleeps well.',
      expectations: [
        { ...skills, note: null, quotes: [{ text: 'We plan every shift with care', startSeconds: 64.2 }] },
        { ...culture, verdict: 'met', note: 'Helps others.' },
      ],
      openQuestions: [...structure.openQuestions, 'Night shifts?'],
    },
    basedOn: FIRST,
  });
});

test('a quote is removed from a summary', async () => {
  const { user, seen } = await viewSummary();
  await user.click(dialog().getByRole('button', { name: 'Edit' }));
  await user.click(dialog().getByRole('button', { name: 'Remove quote 1: Skills' }));
  await user.click(dialog().getByRole('button', { name: 'Save' }));
  await expectToast('Summary Updated');
  expect(saved(seen)).toMatchObject({ structure: { expectations: [{ quotes: [] }, {}] } });
});

test('a summary without an overview is rejected without a call', async () => {
  const { user, seen } = await viewSummary();
  await user.click(dialog().getByRole('button', { name: 'Edit' }));
  await user.clear(dialog().getByLabelText('Overview'));
  await user.click(dialog().getByRole('button', { name: 'Save' }));
  await expectToast('Validation Error', 'Summary text cannot be empty', 'destructive');
  expect(document.activeElement).toBe(dialog().getByLabelText('Overview'));
  expect(saved(seen)).toBeUndefined();
});

test('unsaved sections are restored, even after someone stored the summary as plain text', async () => {
  let stored: object = STORED;
  const { user, seen } = await viewSummary({
    'GET /api/interviews/int-1/summary': () => json(stored),
    'PUT /api/interviews/int-1/summary': () => json({ message: 'Please sign in' }, 401),
    'POST /api/login': { id: 1, username: 'dana' },
  });
  await user.click(dialog().getByRole('button', { name: 'Edit' }));
  await user.type(dialog().getByLabelText('Overview'), ' Mine.');
  await user.click(dialog().getByRole('button', { name: 'Save' }));
  stored = { summaryText: 'Theirs.', version: SECOND, structure: null };
  await user.type(await screen.findByLabelText('Username'), 'dana');
  await user.type(screen.getByLabelText('Password'), 'secret');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByLabelText('The stored summary')).toHaveProperty('value', 'Theirs.');
  expect(dialog().getByLabelText('Overview')).toHaveProperty('value', 'Plans ahead. Mine.');
  await user.click(dialog().getByRole('button', { name: 'Save Anyway' }));
  expect(await screen.findByLabelText('Username')).toBeTruthy();
  expect(saved(seen)).toMatchObject({ basedOn: SECOND, structure: { method: 'model' } });
});

for (const [kind, step, replaced] of [
  ['Transcript', 'transcribe', /new transcript replaces this one, including all edits\. The summary stays/],
  ['Summary', 'summarize', /new summary replaces this one, including all edits/],
] as const) {
  test(`a ${kind.toLowerCase()} is generated again after a confirmation that names what is replaced`, async () => {
    const { user, seen } = openDashboard([anInterview(READY)], {
      'GET /api/interviews/int-1/summary': STORED,
      'GET /api/interviews/int-1/transcript': {
        transcriptionText: 'Said.',
        version: FIRST,
        source: null,
        segments: [],
      },
      [`POST /api/interviews/int-1/${step}`]: { message: 'Again.' },
    });
    await user.click((await findCard()).getByRole('tab', { name: kind }));
    await user.click(card().getByRole('button', { name: `View ${kind}` }));
    await user.click(await screen.findByRole('button', { name: 'More actions' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Regenerate' }));
    const question = within(await screen.findByRole('alertdialog', { name: `Regenerate the ${kind.toLowerCase()}?` }));
    expect(question.getByText(replaced)).toBeTruthy();
    expect(seen.some(({ method }) => method === 'POST')).toBe(false);
    await user.click(question.getByRole('button', { name: 'Regenerate' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(seen.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
      `/api/interviews/int-1/${step}`,
    ]);
  });
}
