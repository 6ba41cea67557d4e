import { X } from 'lucide-react';
import type { LogFilters } from '#web/features/logs/log-filters.ts';
import { TABS, TYPE_OPTIONS } from '#web/features/logs/log-types.ts';
import { Button } from '#web/ui/button.tsx';
import { DateRangePicker } from '#web/ui/date-range-picker.tsx';
import { Select } from '#web/ui/select.tsx';
import { Tab, TabList } from '#web/ui/tabs.tsx';

interface Props {
  filters: LogFilters;
  onChange: (part: Partial<Omit<LogFilters, 'page'>>) => void;
}

/** The tabs and, beside them, the filters. Stands inside `Tabs`. */
export function LogsToolbar({ filters: { type, range }, onChange }: Props) {
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-2">
      <TabList label="Logs" className="w-full sm:w-auto">
        {TABS.map(({ value, label }) => (
          <Tab key={value} value={value}>
            {label}
          </Tab>
        ))}
      </TabList>
      <div className="group flex w-full flex-wrap items-center gap-2 lg:w-auto">
        <Select
          label="Log type"
          value={type}
          options={TYPE_OPTIONS}
          onChange={(next) => onChange({ type: next })}
          className="w-full sm:w-40"
        />
        <DateRangePicker
          value={range}
          onChange={(next) => onChange({ range: next })}
          placeholder="Select Range"
          className="min-w-0 grow sm:w-60 sm:grow-0"
        />
        {/* Always there, so that nothing moves and the focus stays; the open picker has a Clear of its own. */}
        <Button
          variant="ghost"
          aria-disabled={range === null}
          onClick={() => range && onChange({ range: null })}
          className="group-has-aria-expanded:invisible"
        >
          <X aria-hidden />
          Clear
        </Button>
      </div>
    </div>
  );
}
