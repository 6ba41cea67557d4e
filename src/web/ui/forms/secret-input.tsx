import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { Input } from './input.tsx';

interface Props extends Omit<ComponentProps<'input'>, 'type'> {
  /** Runs before the value is shown. False keeps it hidden. */
  onReveal?: (() => Promise<boolean>) | undefined;
}

/** A hidden value with a button that reveals it. Password managers ignore it. */
export function SecretInput({ onReveal, ...props }: Props) {
  const [shown, setShown] = useState(false);
  const toggle = async () => {
    if (shown || !onReveal || (await onReveal())) setShown(!shown);
  };
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="relative">
      <Input
        {...props}
        type={shown ? 'text' : 'password'}
        autoComplete="new-password"
        spellCheck={false}
        data-1p-ignore
        data-lpignore="true"
        className="pr-10"
      />
      <button
        type="button"
        aria-label={shown ? 'Hide' : 'Reveal'}
        aria-pressed={shown}
        onClick={toggle}
        className="absolute top-1/2 right-1 grid size-7 -translate-y-1/2 place-items-center rounded-md text-faint hover:bg-hover hover:text-ink"
      >
        <Icon aria-hidden className="size-4" />
      </button>
    </div>
  );
}
