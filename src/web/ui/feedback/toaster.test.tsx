import { act, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { currentToasts, toast, toastNews } from '#web/lib/toast.ts';
import { Toaster } from './toaster.tsx';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
});

// Reads the cards only: for a moment, the live region of screen readers contains the same text.
const cards = () => screen.queryAllByRole('listitem').map((card) => card.textContent);

test('only one toast is visible at a time: the newest', async () => {
  render(<Toaster />);
  act(() => toast({ title: 'First' }));
  await screen.findByRole('listitem');
  act(() => toast({ title: 'Second', description: 'More text' }));
  expect(cards()).toEqual(['SecondMore text']);
});

test('a toast closes after 5 seconds and is removed 1,000,000 ms later', async () => {
  render(<Toaster />);
  act(() => toast({ title: 'Saved' }));
  await screen.findByRole('listitem');
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(cards()).toEqual([]);
  expect(currentToasts()).toMatchObject([{ title: 'Saved', open: false }]);

  await act(() => vi.advanceTimersByTimeAsync(999_000));
  expect(currentToasts()).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(currentToasts()).toEqual([]);
});

test('a destructive toast has a red border', async () => {
  render(<Toaster />);
  act(() => toast({ title: 'Saved' }));
  const card = () => screen.findByRole('listitem');
  expect((await card()).className).not.toContain('border-danger');
  act(() => toast({ title: 'Failed', variant: 'destructive' }));
  expect((await card()).className).toContain('border-danger');
});

test('an action runs and closes the toast', async () => {
  const undo = vi.fn();
  render(<Toaster />);
  act(() => toast({ title: 'Archived', action: { label: 'Undo', onClick: undo } }));
  const button = await screen.findByRole('button', { name: 'Undo' });
  act(() => button.click());
  expect(undo).toHaveBeenCalledOnce();
  expect(currentToasts()).toMatchObject([{ open: false }]);
});

test('a news toast waits while the current toast has an action', async () => {
  render(<Toaster />);
  act(() => toast({ title: 'Archived', action: { label: 'Undo', onClick: () => {} } }));
  const button = await screen.findByRole('button', { name: 'Undo' });
  act(() => toastNews({ title: 'Conversion Completed' }));
  expect(cards()).toEqual(['ArchivedUndo']);
  act(() => button.click());
  expect(cards()).toEqual(['Conversion Completed']);
  act(() => toastNews({ title: 'Summary Completed' }));
  expect(cards()).toEqual(['Summary Completed']);
});

test('later news replace news with a link', async () => {
  render(<Toaster />);
  act(() => toastNews({ title: 'Summary Completed', action: { label: 'View', isLink: true, onClick: () => {} } }));
  await screen.findByRole('button', { name: 'View' });
  act(() => toastNews({ title: 'Conversion Completed' }));
  expect(cards()).toEqual(['Conversion Completed']);
});

test('later news do not replace a failure; waiting failures follow one after the other', async () => {
  render(<Toaster />);
  act(() => toastNews({ title: 'First failed', variant: 'destructive' }));
  await screen.findByRole('listitem');
  act(() => {
    toastNews({ title: 'Another is done' });
    toastNews({ title: 'Second failed', variant: 'destructive' });
    toastNews({ title: 'The last is done' });
  });
  expect(cards()).toEqual(['First failed']);
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(cards()).toEqual(['Second failed']);
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(cards()).toEqual(['The last is done']);
});
