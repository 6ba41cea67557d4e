import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { DateRange } from './date-range.ts';
import { DateRangePicker } from './date-range-picker.tsx';
import { MultiPicker } from './multi-picker.tsx';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(2026, 5, 15), toFake: ['Date'] });
});

function Dates() {
  const [range, setRange] = useState<DateRange | null>(null);
  return <DateRangePicker value={range} onChange={setRange} />;
}
function Things() {
  const [selected, setSelected] = useState<number[]>([]);
  return (
    <MultiPicker
      name="Things"
      label={`${selected.length} selected`}
      searchPlaceholder="Search things..."
      options={[
        { value: 1, label: 'One', badge: 'Active' },
        { value: 2, label: 'Two' },
      ]}
      selected={selected}
      onChange={setSelected}
    />
  );
}
const day = (name: RegExp) => screen.findByRole('button', { name });

test('the date range closes once both ends are chosen, and can be cleared', async () => {
  const user = userEvent.setup();
  render(<Dates />);
  await user.click(screen.getByRole('button', { name: 'Any date range' }));
  await user.click(await day(/May 5th, 2026/));
  await user.click(await day(/June 3rd, 2026/));
  await waitFor(() => expect(screen.queryByRole('grid')).toBeNull());

  await user.click(screen.getByRole('button', { name: 'May 05, 2026 - Jun 03, 2026' }));
  await user.click(await screen.findByRole('button', { name: 'Clear' }));
  screen.getByRole('button', { name: 'Any date range' });
});

test('the first day of a range is shown as selected', async () => {
  const user = userEvent.setup();
  render(<Dates />);
  await user.click(screen.getByRole('button', { name: 'Any date range' }));
  await user.click(await day(/May 5th, 2026/));
  expect((await day(/May 5th, 2026, selected/)).closest('[role=gridcell]')?.getAttribute('aria-selected')).toBe('true');
});

test.each([
  ['Today', 'Jun 15, 2026 - Jun 15, 2026'],
  ['Yesterday', 'Jun 14, 2026 - Jun 14, 2026'],
  ['Last 7 days', 'Jun 09, 2026 - Jun 15, 2026'],
  ['This month', 'Jun 01, 2026 - Jun 15, 2026'],
])('%s next to the calendar selects its days and closes the picker', async (preset, label) => {
  const user = userEvent.setup();
  render(<Dates />);
  await user.click(screen.getByRole('button', { name: 'Any date range' }));
  await user.click(await screen.findByRole('button', { name: preset, pressed: false }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: label }));
  expect(await screen.findByRole('button', { name: preset, pressed: true })).toBeTruthy();
});

test('the calendar shows two months', async () => {
  const user = userEvent.setup();
  render(<Dates />);
  await user.click(screen.getByRole('button', { name: 'Any date range' }));
  expect((await screen.findAllByRole('grid')).map((grid) => grid.getAttribute('aria-label'))).toEqual([
    'May 2026',
    'June 2026',
  ]);
});

test('on a small screen the calendar shows the current month only', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  const user = userEvent.setup();
  render(<Dates />);
  await user.click(screen.getByRole('button', { name: 'Any date range' }));
  expect((await screen.findByRole('grid')).getAttribute('aria-label')).toBe('June 2026');
});

test('the ends of a range can be chosen in either order, and Apply accepts a single day', async () => {
  const user = userEvent.setup();
  render(<Dates />);
  await user.click(screen.getByRole('button', { name: 'Any date range' }));
  await user.click(await day(/June 3rd, 2026/));
  await user.click(await day(/May 5th, 2026/));
  await user.click(await screen.findByRole('button', { name: 'May 05, 2026 - Jun 03, 2026' }));
  await user.click(await day(/May 9th, 2026/));
  await user.click(screen.getByRole('button', { name: 'Apply' }));
  screen.getByRole('button', { name: 'May 09, 2026 - May 09, 2026' });
});

test('a picker searches its options, and selects one, all or none', async () => {
  const user = userEvent.setup();
  render(<Things />);
  const button = screen.getByRole('button', { name: 'Things: 0 selected' });
  await user.click(button);
  await user.click(await screen.findByRole('checkbox', { name: /One\s*Active/ }));
  expect(button.textContent).toBe('1 selected');
  await user.click(screen.getByRole('button', { name: 'Add All' }));
  expect(button.textContent).toBe('2 selected');
  await user.click(screen.getByRole('button', { name: 'Remove All' }));
  expect(button.textContent).toBe('0 selected');

  await user.type(screen.getByLabelText('Search things...'), 'tw');
  expect(screen.getAllByRole('checkbox')).toHaveLength(1);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('checkbox')).toBeNull());
  expect(document.activeElement).toBe(button);
});

test('in a picker Enter chooses the first match, and the arrow keys move between the options', async () => {
  const user = userEvent.setup();
  render(<Things />);
  const button = screen.getByRole('button', { name: 'Things: 0 selected' });
  await user.click(button);
  await user.type(screen.getByLabelText('Search things...'), 'tw{Enter}');
  expect(button.textContent).toBe('1 selected');
  expect(screen.getByRole('checkbox', { name: 'Two' })).toHaveProperty('checked', true);
  await user.clear(screen.getByLabelText('Search things...'));
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}{Enter}');
  expect(screen.getByRole('checkbox', { name: /One/ })).toHaveProperty('checked', true);
  expect(button.textContent).toBe('2 selected');
});
