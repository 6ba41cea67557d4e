interface Choice<Value extends string> {
  value: Value;
  label: string;
  description?: string;
}
interface Props<Value extends string> {
  /** The name of the group, for screen readers. */
  label: string;
  name: string;
  value: Value;
  choices: readonly Choice<Value>[];
  onChange: (value: Value) => void;
  disabled?: boolean;
}

/** Selects one of a few choices with descriptions. Native radio buttons, so the arrow keys work. */
export function RadioGroup<Value extends string>({ label, name, value, choices, onChange, disabled }: Props<Value>) {
  return (
    <fieldset disabled={disabled} className="flex flex-col gap-2">
      <legend className="sr-only">{label}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className="flex items-start gap-3 rounded-lg border border-line p-3 transition-colors hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-disabled:opacity-60"
        >
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
            className="mt-0.75 size-4 shrink-0 appearance-none rounded-full border border-control bg-surface checked:border-5 checked:border-accent"
          />
          <span>
            <span className="block font-medium">{choice.label}</span>
            {choice.description && <span className="block text-sm text-muted">{choice.description}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
