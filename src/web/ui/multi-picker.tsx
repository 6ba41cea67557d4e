import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { cn } from '#web/lib/cn.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { SearchInput } from '#web/ui/search-input.tsx';

interface PickerOption<Value> {
  value: Value;
  label: string;
  /** A word beside the label. */
  badge?: string | undefined;
}

interface Props<Value> {
  /** What is picked, for screen readers: `Funnels`. */
  name: string;
  /** What the button says about the current selection. */
  label: string;
  searchPlaceholder: string;
  options: readonly PickerOption<Value>[];
  /** Nothing selected means all. */
  selected: readonly Value[];
  onChange: (selected: Value[]) => void;
  className?: string;
}

/** Any number of several, with a search box. */
export function MultiPicker<Value extends string | number>({
  name,
  label,
  searchPlaceholder,
  options,
  selected,
  onChange,
  className,
}: Props<Value>) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = options.filter((option) => option.label.toLowerCase().includes(wanted));
  const toggle = (value: Value) =>
    onChange(selected.includes(value) ? selected.filter((other) => other !== value) : [...selected, value]);

  return (
    <Popover
      label={name}
      onOpenChange={(open) => open || setSearch('')}
      className="w-72 p-2"
      trigger={
        <Button aria-label={`${name}: ${label}`} className={cn('justify-between font-normal', className)}>
          <span className="truncate">{label}</span>
          <ChevronDown aria-hidden className="text-faint" />
        </Button>
      }
    >
      <SearchInput label={searchPlaceholder} value={search} onChange={setSearch} />
      <div className="flex gap-1 py-1.5">
        <Button variant="ghost" size="sm" onClick={() => onChange(options.map((option) => option.value))}>
          Add All
        </Button>
        <Button variant="ghost" size="sm" disabled={selected.length === 0} onClick={() => onChange([])}>
          Remove All
        </Button>
      </div>
      <ul className="max-h-64 overflow-y-auto">
        {found.map((option) => (
          <li key={option.value}>
            <Checkbox
              className="w-full rounded-md px-2 py-1.5 hover:bg-hover"
              checked={selected.includes(option.value)}
              onChange={() => toggle(option.value)}
              label={
                <>
                  <span className="min-w-0 truncate">{option.label}</span>
                  {option.badge && (
                    <Badge tone="success" className="ml-auto">
                      {option.badge}
                    </Badge>
                  )}
                </>
              }
            />
          </li>
        ))}
        {found.length === 0 && <li className="px-2 py-3 text-center text-sm text-faint">Nothing found</li>}
      </ul>
    </Popover>
  );
}
