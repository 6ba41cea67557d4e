import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { SharedSecret } from '#contracts/second-factor.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { SharedSecretView } from './shared-secret-view.tsx';

interface Props {
  /** Lets a button outside submit the form. */
  id: string;
  shared: SharedSecret;
  /** Why the last code was rejected. */
  failure: Error | null;
  disabled: boolean;
  onCode: (code: string) => void;
}

export function FirstCodeForm({ id, shared, failure, disabled, onCode }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [isMissing, setIsMissing] = useState(false);
  const error = isMissing ? 'Enter the 6-digit code from your app' : failure?.message;
  // The field was disabled during the request and lost the focus.
  useEffect(() => {
    if (failure) form.current?.querySelector<HTMLInputElement>('[name=code]')?.select();
  }, [failure]);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get('code') ?? '').trim();
    setIsMissing(code === '');
    if (code === '') form.current?.querySelector<HTMLInputElement>('[name=code]')?.focus();
    else if (!disabled) onCode(code);
  }

  return (
    <form id={id} ref={form} onSubmit={submit} noValidate className="flex flex-col gap-5">
      <SharedSecretView {...shared} />
      <Field label="6-digit code" error={error} required>
        {(control) => (
          <Input
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            spellCheck={false}
            maxLength={100}
            autoFocus
            disabled={disabled}
            className="font-mono"
            {...control}
          />
        )}
      </Field>
    </form>
  );
}
