import { ChevronDown } from 'lucide-react';
import { cn } from '#web/lib/cn.ts';

interface Props<Value extends string> {
  /** The name of the select, for screen readers. */
  label: string;
  value: Value;
  options: readonly { value: Value; label: string; disabled?: boolean }[];
  onChange: (value: Value) => void;
  name?: string;
  /** Offers each option in the command palette, after this text. */
  'data-command'?: string | undefined;
  className?: string;
}

/** A native select: it works with every keyboard, screen reader and phone. */
export function Select<Value extends string>({ label, value, options, onChange, className, ...props }: Props<Value>) {
  return (
    <div className={cn('relative', className)}>
      <select
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value as Value)}
        className="select flex h-9 w-full items-center rounded-md border border-line bg-surface pr-8 pl-3 text-ink shadow-card transition-colors hover:bg-hover disabled:opacity-60 in-[form]:border-control in-[form]:hover:border-muted in-[form]:hover:bg-surface"
        {...props}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3.25 size-4 -translate-y-1/2 text-faint"
      />
    </div>
  );
}

/** True while the list of options is shown, in browsers that draw it in the page. */
export function isListOpen(select: Element): boolean {
  try {
    return select.matches(':open');
  } catch {
    // This browser does not support the selector.
    return false;
  }
}

/** Makes Escape close only the list, because a dialog around it would also receive the key. */
function keepEscape(event: KeyboardEvent): void {
  const select = event.target instanceof Element && event.target.closest('select');
  if (event.key === 'Escape' && select && isListOpen(select)) event.stopImmediatePropagation();
}
addEventListener('keydown', keepEscape, true);
