import { ChevronDown } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { cn } from '#web/lib/cn.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Popover } from '#web/ui/overlays/popover.tsx';
import { Button } from './button.tsx';
import { Checkbox } from './checkbox.tsx';
import { SearchInput } from './search-input.tsx';

interface PickerOption<Value> {
  value: Value;
  label: string;
  /** A badge after the label, such as `Active`. */
  badge?: string | undefined;
}

interface Props<Value> {
  /** The name of the options, for screen readers: `Funnels`. */
  name: string;
  /** The text of the button, which describes the selection. */
  label: string;
  searchPlaceholder: string;
  options: readonly PickerOption<Value>[];
  /** An empty selection means all. */
  selected: readonly Value[];
  onChange: (selected: Value[]) => void;
  className?: string;
}

/** Selects any number of options, with a search box. */
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
  const list = useRef<HTMLUListElement>(null);
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
        <Button
          aria-label={`${name}: ${label}`}
          data-command={`Filter: ${name}`}
          className={cn('justify-between font-normal px-3', className)}
        >
          <span className="truncate">{label}</span>
          <ChevronDown aria-hidden className="text-faint" />
        </Button>
      }
    >
      <SearchInput
        label={searchPlaceholder}
        value={search}
        onChange={setSearch}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && wanted && found[0]) toggle(found[0].value);
          if (event.key === 'ArrowDown') moveFocus(event, list.current);
        }}
      />
      <div className="flex gap-1 py-1.5">
        <Button variant="ghost" size="sm" onClick={() => onChange(options.map((option) => option.value))}>
          Add All
        </Button>
        <Button variant="ghost" size="sm" disabled={selected.length === 0} onClick={() => onChange([])}>
          Remove All
        </Button>
      </div>
      <ul
        ref={list}
        className="max-h-64 overflow-y-auto"
        onKeyDown={(event) => {
          if (event.key === 'Enter') (event.target as HTMLElement).click();
          else moveFocus(event, list.current);
        }}
      >
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
        {found.length === 0 && <li className="px-2 py-3 text-center text-sm text-faint">No matches</li>}
      </ul>
    </Popover>
  );
}

/** The arrow keys move the focus through the boxes of the list. */
function moveFocus(event: KeyboardEvent, list: Element | null): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const boxes = [...(list?.querySelectorAll('input') ?? [])];
  const next = boxes[boxes.indexOf(event.target as HTMLInputElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
