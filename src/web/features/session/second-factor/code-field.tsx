import { useState } from 'react';
import { Button } from '#web/ui/forms/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';

interface Props {
  error?: string | undefined;
  disabled?: boolean;
  autoFocus?: boolean;
  required?: boolean;
}

/** Asks for an authenticator code, or for a recovery code instead. The input is named `code`. */
export function CodeField({ error, disabled, autoFocus, required }: Props) {
  const [hasPhone, setHasPhone] = useState(true);
  const [switched, setSwitched] = useState(false);
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={hasPhone ? 'Authenticator code' : 'Recovery code'}
        error={error}
        hint={hasPhone ? undefined : 'One of the codes you saved. Lost them? Ask an admin.'}
        {...(required && { required })}
      >
        {(control) => (
          <Input
            key={hasPhone ? 'app' : 'recovery'}
            name="code"
            inputMode={hasPhone ? 'numeric' : 'text'}
            autoComplete={hasPhone ? 'one-time-code' : 'off'}
            autoCapitalize="none"
            spellCheck={false}
            maxLength={100}
            autoFocus={autoFocus || switched}
            disabled={disabled}
            className="font-mono"
            {...control}
          />
        )}
      </Field>
      <Button
        variant="link"
        className="self-start"
        disabled={disabled}
        onClick={() => {
          setHasPhone(!hasPhone);
          setSwitched(true);
        }}
      >
        {hasPhone ? 'Use a recovery code' : 'Use your authenticator app'}
      </Button>
    </div>
  );
}
