import { type ReactNode, useId } from 'react';
import { cn } from '#web/lib/cn.ts';

/** Connects a control with its label, hint and error. Spread it on the control. */
interface ControlProps {
  id: string;
  'aria-invalid': boolean | undefined;
  'aria-describedby': string | undefined;
  'aria-required': boolean | undefined;
}

interface Props {
  label: string;
  /** Renders the control: `{(control) => <Input name="title" {...control} />}`. */
  children: (control: ControlProps) => ReactNode;
  error?: string | undefined;
  hint?: ReactNode;
  required?: boolean;
  /** Shows `length/max`. */
  counter?: { length: number; max: number };
}

/** A control with its label, counter, and hint or error. */
export function Field({ label, children, error, hint, required = false, counter }: Props) {
  const id = useId();
  const about = [error && `${id}-error`, hint && !error && `${id}-hint`, counter && `${id}-counter`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-sm font-medium text-ink">
          {label}
          {required && (
            <span aria-hidden className="ml-0.5 text-danger-ink">
              *
            </span>
          )}
        </label>
        {counter && <Counter id={`${id}-counter`} {...counter} />}
      </div>
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': about || undefined,
        'aria-required': required || undefined,
      })}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {hint && !error && (
        <p id={`${id}-hint`} className="text-sm text-faint">
          {hint}
        </p>
      )}
    </div>
  );
}

export const FieldError = ({ id, children }: { id: string; children: string }) => (
  <p id={id} role="alert" className="text-sm text-danger-ink">
    {children}
  </p>
);

function Counter({ id, length, max }: { id: string; length: number; max: number }) {
  return (
    <span id={id} className={cn('text-xs', length > max ? 'font-medium text-danger-ink' : 'text-faint')}>
      {length}/{max}
    </span>
  );
}
