import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Criterion } from '#contracts/reviews.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { json, type SeenRequest } from '#web/testing/server-edge.ts';
import { changesIn, numberedFunnel, openFunnels } from './testing/open-funnels.ts';

const CARE: Criterion = { key: 'care', label: 'Care', low: 'Rushes', middle: 'Listens', high: 'Explains' };
const SPEED: Criterion = { key: 'speed', label: 'Speed', low: '', middle: '', high: '' };
const FUNNEL = numberedFunnel(1, { skillExpectations: 'Lifts 20 kg', cultureExpectations: 'Kind' });
const BY_DEFAULT: Criterion[] = [
  { key: 'skillExpectations', label: 'Skill Expectations', low: 'Not met', middle: 'Partly met', high: 'Lifts 20 kg' },
  { key: 'cultureExpectations', label: 'Culture Expectations', low: 'Not met', middle: 'Partly met', high: 'Kind' },
];

/** Opens the section of a funnel with this scorecard. */
async function openScorecard(criteria: Criterion[], responses: Parameters<typeof openFunnels>[1] = {}) {
  const { user, seen } = openFunnels(
    [FUNNEL],
    {
      'GET /api/funnels/1/scorecard': () => ({ criteria }),
      'PUT /api/funnels/1': FUNNEL,
      'PUT /api/funnels/1/scorecard': ({ body }: SeenRequest) => body as object,
      ...responses,
    },
    '/funnels?dialog=edit-funnel&id=1',
  );
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('tab', { name: 'Expectations' }));
  await user.click(dialog.getByText('Scorecard', { selector: 'summary' }));
  await dialog.findByRole('button', { name: 'Add criterion' });
  const labels = () => dialog.getAllByLabelText(/^Label/).map((field) => (field as HTMLInputElement).value);
  const saved = () =>
    changesIn(seen)
      .filter(({ path }) => path.endsWith('/scorecard'))
      .map(({ body }) => (body as { criteria: Criterion[] }).criteria);
  const save = () => user.click(dialog.getByRole('button', { name: 'Save Changes' }));
  return { user, seen, dialog, labels, saved, save };
}

test('criteria are added, changed, moved with the keyboard and removed, and saved with the funnel', async () => {
  const { user, dialog, labels, saved, save } = await openScorecard([CARE, SPEED]);
  expect(dialog.getByText(/Submitted reviews keep the criteria that they were rated by/)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Add criterion' }));
  expect(document.activeElement).toBe(dialog.getAllByLabelText(/^Label/)[2]);
  await user.keyboard('Language');
  const added = within(dialog.getByRole('group', { name: 'Criterion 3' }));
  await user.type(added.getByLabelText('What 5 means'), 'Speaks freely');
  added.getByRole('button', { name: 'Move Language up' }).focus();
  await user.keyboard('{Enter}{Enter}');
  expect(labels()).toEqual(['Language', 'Care', 'Speed']);
  expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Move Language up' }));
  expect(dialog.getByText('Language is now 1 of 3.')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Remove Speed' }));
  await save();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(saved()).toEqual([
    [{ key: expect.any(String), label: 'Language', low: '', middle: '', high: 'Speaks freely' }, CARE],
  ]);
  expect(sessionStorage.length).toBe(0);
});

test('default criteria follow the expectations of the form, and Use the expectations restores them', async () => {
  const { user, dialog, labels, saved, save } = await openScorecard([CARE]);
  expect(labels()).toEqual(['Care']);
  await user.click(dialog.getByRole('button', { name: 'Use the expectations' }));
  expect(labels()).toEqual(['Skill Expectations', 'Culture Expectations']);
  await user.clear(dialog.getByLabelText('Culture Expectations', { selector: 'textarea' }));
  expect(labels()).toEqual(['Skill Expectations']);
  await save();
  await waitFor(() => expect(saved()).toEqual([BY_DEFAULT.slice(0, 1)]));
});

test('an unchanged scorecard is not saved', async () => {
  const { seen, save } = await openScorecard(BY_DEFAULT);
  await save();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(changesIn(seen).map(({ path }) => path)).toEqual(['/api/funnels/1']);
});

test('an invalid criterion shows its error next to its field, which receives the focus, and nothing is saved', async () => {
  const { user, seen, dialog, save } = await openScorecard([CARE]);
  await user.click(dialog.getByRole('button', { name: 'Add criterion' }));
  await user.click(dialog.getByRole('tab', { name: 'Basic Settings' }));
  await save();
  expect((await dialog.findByRole('alert')).textContent).toBe('Label is required');
  expect(document.activeElement).toBe(dialog.getAllByLabelText(/^Label/)[1]);
  expect(dialog.getByRole('tab', { name: /Expectations/ }).textContent).toContain('Expectations');
  expect(changesIn(seen)).toEqual([]);
});

test('a scorecard that the server rejects stays open with the reason', async () => {
  const message = 'criteria must not repeat a key';
  const { user, dialog, save } = await openScorecard([CARE], {
    'PUT /api/funnels/1/scorecard': json({ message, field: 'criteria', code: 'invalid_input' }, 400),
  });
  await user.type(dialog.getByLabelText('What 5 means'), ' more');
  await save();
  await expectToast('Funnel updated', 'Funnel has been updated successfully.');
  expect((await dialog.findByText(message)).getAttribute('role')).toBe('alert');
});

test('a field of a criterion that the server rejects is marked', async () => {
  const field = 'criteria[1].high';
  const { user, dialog, save } = await openScorecard([CARE, SPEED], {
    'PUT /api/funnels/1/scorecard': json({ message: `${field} is too long`, field, code: 'invalid_input' }, 400),
  });
  await user.type(dialog.getAllByLabelText('What 5 means')[1] as Element, 'Quick');
  await save();
  const second = within(dialog.getByRole('group', { name: 'Criterion 2' }));
  expect(await second.findByText('What 5 means is too long')).toBeTruthy();
  const [marked, ...others] = dialog
    .getAllByRole('textbox', { hidden: true })
    .filter((one) => one.ariaInvalid === 'true' || one.getAttribute('aria-invalid') === 'true');
  expect([marked, others]).toEqual([second.getByLabelText(/^What 5 means/), []]);
});

test('a scorecard has one to eight criteria', async () => {
  const { user, dialog, labels } = await openScorecard([CARE]);
  await user.click(dialog.getByRole('button', { name: 'Remove Care' }));
  expect(labels()).toEqual(['Care']);
  for (let added = 0; added < 9; added++) await user.click(dialog.getByRole('button', { name: 'Add criterion' }));
  expect(labels()).toHaveLength(8);
});

test('the criteria of a new funnel follow its expectations', async () => {
  const { user } = openFunnels([], {}, '/funnels?dialog=create-funnel');
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('tab', { name: 'Expectations' }));
  await user.click(dialog.getByText('Scorecard', { selector: 'summary' }));
  expect(dialog.getByText(/You can change the criteria once the funnel is created/)).toBeTruthy();
  expect(dialog.queryByRole('button', { name: 'Add criterion' })).toBeNull();
});
