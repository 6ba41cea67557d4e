import { type FormEvent, useState } from 'react';
import type { User } from '#contracts/session.ts';
import { CodeField } from '#web/features/session/second-factor/code-field.tsx';
import { toast } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { useFieldErrors } from '#web/ui/forms/use-field-errors.ts';

interface Props {
  /** The account that the person at the provider may be. */
  username: string;
  name: string;
  onSignedIn: (user: User) => void;
  onBack: () => void;
}

/** Asks an administrator once for the password, before the provider signs in to the account. */
export function ConfirmIdentity({ username, name, onSignedIn, onBack }: Props) {
  const { form, errors, showErrors, clearErrors } = useFieldErrors<'password' | 'code'>();
  const [asksCode, setAsksCode] = useState(false);
  const confirm = useAction('POST /api/login/oidc/confirm', {
    onSuccess: (user) => {
      toast({ title: 'Login Successful', description: `From now on, you can sign in with ${name}.` });
      onSignedIn(user);
    },
    onError: ({ code, message }) => {
      if (code === 'second_factor_required') setAsksCode(true);
      else if (code === 'wrong_code') showErrors({ code: message });
      else if (code === 'wrong_credentials') showErrors({ password: 'Wrong password' });
      else toast({ title: 'Authentication failed', description: message, variant: 'destructive' });
    },
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const password = String(data.get('password') ?? '');
    const code = String(data.get('code') ?? '').trim();
    if (password === '') showErrors({ password: 'Enter your password' });
    else if (asksCode && code === '') showErrors({ code: 'Enter a code' });
    else if (!confirm.isPending) {
      clearErrors();
      confirm.mutate({ body: asksCode ? { password, code } : { password } });
    }
  }

  return (
    <form ref={form} onSubmit={submit} noValidate aria-label="Link your account" className="flex flex-col gap-4">
      <h2 className="text-lg font-semibold">Link your account</h2>
      <p className="text-muted">
        <strong className="font-medium wrap-anywhere text-ink">{username}</strong> is an administrator. Enter its
        password once to sign in with {name} from now on.
      </p>
      <input type="text" hidden readOnly autoComplete="username" value={username} />
      <Field label="Password" error={errors.password}>
        {(control) => <Input {...control} name="password" type="password" autoComplete="current-password" autoFocus />}
      </Field>
      {asksCode && <CodeField autoFocus required error={errors.code} />}
      <Button type="submit" variant="primary" size="lg" className="w-full" pending={confirm.isPending}>
        Link and sign in
      </Button>
      <Button variant="ghost" className="w-full" onClick={onBack}>
        Cancel
      </Button>
    </form>
  );
}
