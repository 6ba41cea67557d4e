import { X } from 'lucide-react';
import { Button } from '#web/ui/forms/button.tsx';
import { Checkbox } from '#web/ui/forms/checkbox.tsx';
import { DateRangePicker } from '#web/ui/forms/date-range-picker.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { Tab, TabList } from '#web/ui/layout/tabs.tsx';
import type { LogFilters } from './log-filters.ts';
import { TABS, TYPE_OPTIONS } from './log-types.ts';

interface Props {
  filters: LogFilters;
  onChange: (part: Partial<Omit<LogFilters, 'page'>>) => void;
}

/** Tabs and filters. Must be rendered inside `Tabs`. */
export function LogsToolbar({ filters: { type, range, hasViews }, onChange }: Props) {
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
        <Checkbox
          label="Show who watched and read"
          title="Recordings that were loaded or played, and transcripts that were read"
          checked={hasViews}
          onChange={({ currentTarget }) => onChange({ hasViews: currentTarget.checked })}
          className="mr-2 text-sm"
        />
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
        {/* Always rendered, so that nothing moves and focus stays. Hidden while the picker shows its own Clear. */}
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
