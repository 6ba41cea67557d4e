import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { SharedSecret } from '#contracts/second-factor.ts';
import { SharedSecretView } from '#web/features/session/second-factor/shared-secret-view.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';

interface Props {
  /** For a button elsewhere that submits it. */
  id: string;
  shared: SharedSecret;
  /** Why the last code was not taken. */
  failure: Error | null;
  disabled: boolean;
  onCode: (code: string) => void;
}

/** The secret for the app, and a field for the first code that it shows. */
export function FirstCodeForm({ id, shared, failure, disabled, onCode }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [isMissing, setIsMissing] = useState(false);
  const error = isMissing ? 'Enter the code that the app shows' : failure?.message;
  // While the request ran the field was disabled, and lost the focus.
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
      <Field label="The code that the app shows now" error={error} required>
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
