import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';

interface Props {
  error?: string | undefined;
  disabled?: boolean;
  autoFocus?: boolean;
  required?: boolean;
}

/** Asks for a code of the authenticator app, or for a recovery code by whoever has no phone at hand. Its name is `code`. */
export function CodeField({ error, disabled, autoFocus, required }: Props) {
  const [hasPhone, setHasPhone] = useState(true);
  const [switched, setSwitched] = useState(false);
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={hasPhone ? 'Code of your authenticator app' : 'Recovery code'}
        error={error}
        hint={hasPhone ? undefined : 'One of those that you kept. An administrator can help who has none.'}
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
        {hasPhone ? 'Use a recovery code' : 'Use the code of your app'}
      </Button>
    </div>
  );
}
