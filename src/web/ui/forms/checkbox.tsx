import { Check } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';

interface Props extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode;
}

/** A native checkbox with its label. */
export function Checkbox({ label, className, ...props }: Props) {
  return (
    <label className={cn('inline-flex items-center gap-2 has-disabled:opacity-60', className)}>
      <span className="relative grid size-4 shrink-0 place-items-center">
        <input
          type="checkbox"
          className="peer size-4 appearance-none rounded-[0.25rem] border border-control bg-surface checked:border-accent checked:bg-accent forced-colors:appearance-auto"
          {...props}
        />
        <Check
          aria-hidden
          strokeWidth={3}
          className="pointer-events-none absolute size-3 text-on-accent opacity-0 peer-checked:opacity-100 forced-colors:hidden"
        />
      </span>
      {label}
    </label>
  );
}
