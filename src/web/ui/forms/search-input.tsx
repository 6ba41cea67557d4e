import { Search, X } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { cn } from '#web/lib/cn.ts';
import { Input } from './input.tsx';

interface Props {
  label: string;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  className?: string;
}

/** True for a search box with text: Escape clears it before it closes the dialog around it. */
export const isFilledSearchBox = (target: EventTarget | null) =>
  target instanceof HTMLInputElement && target.type === 'search' && target.value !== '';

/** A search box that its button and Escape clear. */
export function SearchInput({ label, placeholder = label, value, onChange, onBlur, onKeyDown, className }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={cn('relative', className)}>
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-faint" />
      <Input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
        onKeyDown={(event) => {
          onKeyDown?.(event);
          if (event.key !== 'Escape' || !isFilledSearchBox(event.target)) return;
          event.preventDefault();
          onChange('');
        }}
        className="border-line pr-8 pl-9 text-ellipsis [&::-webkit-search-cancel-button]:hidden"
      />
      {value && (
        <button
          type="button"
          aria-label="Clear search"
          onClick={() => {
            onChange('');
            input.current?.focus();
          }}
          className="touch-beyond absolute top-1/2 right-1.5 grid size-6 -translate-y-1/2 place-items-center rounded-md text-faint hover:bg-hover hover:text-ink"
        >
          <X aria-hidden className="size-3.5" />
        </button>
      )}
    </div>
  );
}
