import { type KeyboardEvent, useId } from 'react';

interface Props<Value extends number | null> {
  label: string;
  hint?: string;
  options: readonly Value[];
  nameOf: (value: Value) => string;
  value: number | null | undefined;
  onChange: (value: Value) => void;
}

/** A row of radio buttons, also chosen by digit keys. Undefined: no choice yet. */
export function Steps<Value extends number | null>({ label, hint, options, nameOf, value, onChange }: Props<Value>) {
  const name = useId();
  const chooseByDigit = ({ key, currentTarget }: KeyboardEvent) => {
    const index = options.findIndex((option) => String(option) === key);
    const chosen = options[index];
    if (chosen === undefined) return;
    onChange(chosen);
    // From another button Tab would go to the chosen one.
    currentTarget.querySelectorAll('input')[index]?.focus();
  };
  return (
    <fieldset className="min-w-0" onKeyDown={chooseByDigit}>
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      <div className="flex flex-wrap gap-1.5">
        {options.map((option) => (
          <label
            key={String(option)}
            className="flex min-h-9 min-w-9 cursor-pointer items-center justify-center rounded-md border border-control bg-surface px-2.5 text-sm tabular-nums hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-checked:text-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              checked={value === option}
              onChange={() => onChange(option)}
              className="sr-only"
            />
            {nameOf(option)}
          </label>
        ))}
      </div>
      {hint && <p className="mt-1 text-xs break-words text-muted">{hint}</p>}
    </fieldset>
  );
}
