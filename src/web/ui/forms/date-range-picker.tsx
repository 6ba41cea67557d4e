import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import { cn } from '#web/lib/cn.ts';
import { Skeleton } from '#web/ui/feedback/loading.tsx';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';
import { Popover } from '#web/ui/overlays/popover.tsx';
import { Button } from './button.tsx';
import type { DateRange } from './date-range.ts';
import { DATE_PRESETS, formatRangeDay, isSameRange } from './date-range.ts';

// Loaded when first opened: the calendar is as large as the rest of a page.
const RangeCalendar = lazyPart(() => import('./range-calendar.tsx').then((m) => m.RangeCalendar), {
  fallback: <Skeleton className="h-72 w-full min-w-64 sm:w-136" />,
});

interface Props {
  value: DateRange | null;
  onChange: (range: DateRange | null) => void;
  /** The text of the button without a range. */
  placeholder?: string;
  className?: string;
}

/** Closes once both ends are selected. */
export function DateRangePicker({ value, onChange, placeholder = 'Any date range', className }: Props) {
  const [open, setOpen] = useState(false);
  const [draft, setDraft] = useState<Partial<DateRange>>({});
  const show = (next: boolean) => {
    setOpen(next);
    setDraft(value ?? {});
  };
  const finish = (range: DateRange | null) => {
    onChange(range);
    setOpen(false);
  };
  const choose = (range: Partial<DateRange>) => {
    setDraft(range);
    if (range.from && range.to) finish({ from: range.from, to: range.to });
  };

  return (
    <Popover
      label="Date range"
      open={open}
      onOpenChange={show}
      sheetOnSmall
      className="p-3"
      trigger={
        <Button data-command="Filter: Date range" className={cn('justify-start font-normal px-3', className)}>
          <CalendarDays aria-hidden className="text-faint" />
          <span className="truncate">
            {value ? `${formatRangeDay(value.from)} - ${formatRangeDay(value.to)}` : placeholder}
          </span>
        </Button>
      }
    >
      <div className="flex flex-col gap-3 pb-3 sm:flex-row">
        <Presets value={value} onChoose={finish} />
        <RangeCalendar value={draft} onChange={choose} />
      </div>
      {/* Stays visible when the calendar is taller than the screen. */}
      <div className="sticky -bottom-3 -mb-3 flex justify-end gap-2 border-t border-line bg-raised py-3">
        <Button variant="ghost" size="sm" onClick={() => finish(null)}>
          Clear
        </Button>
        <Button
          variant="primary"
          size="sm"
          disabled={!draft.from}
          // A single selected day is a range of one day.
          onClick={() => draft.from && finish({ from: draft.from, to: draft.to ?? draft.from })}
        >
          Apply
        </Button>
      </div>
    </Popover>
  );
}

function Presets({ value, onChoose }: { value: DateRange | null; onChoose: (range: DateRange) => void }) {
  const today = new Date();
  return (
    <fieldset className="flex flex-wrap gap-1 sm:w-28 sm:flex-col sm:flex-nowrap sm:border-r sm:border-line sm:pr-3">
      <legend className="sr-only">Presets</legend>
      {DATE_PRESETS.map(({ label, range }) => (
        <Button
          key={label}
          variant="ghost"
          size="sm"
          aria-pressed={isSameRange(value, range(today))}
          onClick={() => onChoose(range(today))}
          className="justify-start max-sm:px-2 aria-pressed:bg-thumb aria-pressed:text-ink"
        >
          {label}
        </Button>
      ))}
    </fieldset>
  );
}
