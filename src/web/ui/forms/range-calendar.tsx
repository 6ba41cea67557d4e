import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { DayPicker } from 'react-day-picker';
import type { DateRange } from './date-range.ts';

interface Props {
  value: Partial<DateRange>;
  onChange: (range: Partial<DateRange>) => void;
}

/** Two months side by side. The first click starts a new range, the second ends it. */
export function RangeCalendar({ value, onChange }: Props) {
  const [hasStart, setHasStart] = useState(false);
  const choose = (day: Date) => {
    if (!hasStart || !value.from) {
      setHasStart(true);
      onChange({ from: day });
      return;
    }
    setHasStart(false);
    onChange(day < value.from ? { from: day, to: value.from } : { from: value.from, to: day });
  };

  return (
    <DayPicker
      mode="range"
      numberOfMonths={2}
      autoFocus
      // Without a range the current month is on the right, because searches are about the past.
      defaultMonth={value.from ?? monthBefore(new Date())}
      // The first day alone is shown as a range of one day.
      selected={{ from: value.from, to: value.to ?? value.from }}
      onSelect={(_range, day) => choose(day)}
      components={{ Chevron }}
      classNames={CLASSES}
    />
  );
}

const monthBefore = (day: Date) => new Date(day.getFullYear(), day.getMonth() - 1);

const Chevron = ({ orientation }: { orientation?: string }) =>
  orientation === 'left' ? (
    <ChevronLeft aria-hidden className="size-4" />
  ) : (
    <ChevronRight aria-hidden className="size-4" />
  );

const STEP =
  'grid size-7.5 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink aria-disabled:opacity-40';
const CLASSES = {
  months: 'relative flex flex-col gap-6 sm:flex-row',
  nav: 'absolute inset-x-0 top-0 flex items-start justify-between min-h-0!',
  button_previous: STEP,
  button_next: STEP,
  month_caption: 'mb-2 flex h-7.5 items-center justify-center font-medium',
  weekday: 'w-9 pb-1 text-xs font-normal text-faint',
  month_grid: 'border-collapse',
  day: 'size-9 p-0 text-center',
  day_button: 'size-9 rounded-md hover:bg-hover',
  today: '[&>button]:font-semibold [&>button]:text-accent-ink',
  outside: 'invisible',
  disabled: 'opacity-40',
  range_start: 'rounded-l-md bg-accent-soft [&>button]:bg-accent! [&>button]:text-on-accent!',
  range_end: 'rounded-r-md bg-accent-soft [&>button]:bg-accent! [&>button]:text-on-accent!',
  range_middle: 'bg-accent-soft text-accent-ink',
};
