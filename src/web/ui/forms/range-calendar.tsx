import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { DayPicker } from 'react-day-picker';
import type { DateRange } from './date-range.ts';

interface Props {
  value: Partial<DateRange>;
  onChange: (range: Partial<DateRange>) => void;
}

/** Where `Popover` is a sheet (theme.css). */
const IS_SMALL = '(width < 40rem) or (height < 31.25rem)';

/**
 * Two months side by side, or one on small screens. The first click starts a new range, the second
 * ends it.
 */
export function RangeCalendar({ value, onChange }: Props) {
  const [hasStart, setHasStart] = useState(false);
  const [months] = useState(() => (matchMedia(IS_SMALL).matches ? 1 : 2));
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
      numberOfMonths={months}
      autoFocus
      // Without a range the current month is the last one, because searches are about the past.
      defaultMonth={value.from ?? monthsBefore(new Date(), months - 1)}
      // The first day alone is shown as a range of one day.
      selected={{ from: value.from, to: value.to ?? value.from }}
      onSelect={(_range, day) => choose(day)}
      components={{ Chevron }}
      classNames={{ ...CLASSES, month: months === 1 ? 'w-full' : 'w-63' }}
    />
  );
}

const monthsBefore = (day: Date, count: number) => new Date(day.getFullYear(), day.getMonth() - count);

const Chevron = ({ orientation }: { orientation?: string }) =>
  orientation === 'left' ? (
    <ChevronLeft aria-hidden className="size-4" />
  ) : (
    <ChevronRight aria-hidden className="size-4" />
  );

const STEP =
  'grid size-7.5 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink aria-disabled:opacity-40';
const CLASSES = {
  months: 'relative flex gap-6',
  nav: 'absolute inset-x-0 top-0 flex items-start justify-between',
  button_previous: STEP,
  button_next: STEP,
  // As high as the buttons next to it.
  month_caption: 'mb-1 flex h-7.5 items-center justify-center font-medium max-md:h-11',
  weekday: 'w-9 pb-1 text-xs font-normal text-faint',
  // Seven equal columns as wide as the panel.
  month_grid: 'w-full table-fixed border-collapse',
  day: 'h-9 p-0 text-center tabular-nums max-md:h-11',
  day_button: 'size-full min-w-0! rounded-md hover:bg-hover',
  today: '[&>button]:font-semibold [&>button]:underline [&>button]:underline-offset-4',
  outside: 'invisible',
  disabled: 'opacity-40',
  range_start: 'keep-color rounded-l-md bg-accent-soft [&>button]:bg-accent! [&>button]:text-on-accent!',
  range_end: 'keep-color rounded-r-md bg-accent-soft [&>button]:bg-accent! [&>button]:text-on-accent!',
  range_middle: 'bg-accent-soft text-accent-ink',
};
