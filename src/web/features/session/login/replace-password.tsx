import type { FormEvent } from 'react';
import { useLogin } from '#web/features/session/session.ts';
import { ApiError } from '#web/lib/api-error.ts';
import { toast } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { useFieldErrors } from '#web/ui/forms/use-field-errors.ts';
import type { TypedCredentials } from './login-form.tsx';

interface Props {
  /** Already checked: the password is the default one. */
  credentials: TypedCredentials;
  onSetupRequired: (credentials: TypedCredentials) => void;
  onBack: () => void;
}

/** Replaces the sign-in form for users of the default password, who must choose a new one first. */
export function ReplacePassword({ credentials, onSetupRequired, onBack }: Props) {
  const { form, errors, showErrors, showRejection, clearErrors } = useFieldErrors<
    'startCode' | 'newPassword' | 'repeated'
  >();
  const login = useLogin();
  const signIn = (password: string) => {
    const changed = { ...credentials, password };
    login.mutate(changed, {
      onSuccess: () =>
        toast({ title: 'Login Successful', description: 'Welcome to Video Interview Management System' }),
      onError: (error) => {
        if (error instanceof ApiError && error.code === 'second_factor_setup_required') return onSetupRequired(changed);
        toast({ title: 'Password changed', description: 'Sign in with your new password.' });
        onBack();
      },
    });
  };
  const replace = useAction('POST /api/login/password', {
    onSuccess: (_, { body }) => signIn(body.newPassword),
    onError: showRejection(['newPassword', 'startCode'], "Couldn't change the password"),
  });
  const isPending = replace.isPending || login.isPending;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const newPassword = String(data.get('newPassword') ?? '');
    const startCode = String(data.get('startCode') ?? '').trim();
    const { username, password } = credentials;
    if (startCode === '') showErrors({ startCode: 'Start code is required' });
    else if (newPassword === '') showErrors({ newPassword: 'New password is required' });
    else if (newPassword !== data.get('repeated')) showErrors({ repeated: "Passwords don't match" });
    else if (!isPending) {
      clearErrors();
      replace.mutate({ body: { username, password, startCode, newPassword } });
    }
  }

  return (
    <form ref={form} onSubmit={submit} noValidate aria-label="Choose a new password" className="flex flex-col gap-4">
      <h2 className="text-lg font-semibold">Choose a new password</h2>
      <p className="text-muted">The default password can't be used here, because others can reach this server.</p>
      {/* Lets a password manager match the account. */}
      <input type="text" hidden readOnly autoComplete="username" value={credentials.username} />
      <Field
        label="Start code"
        error={errors.startCode}
        hint="The server prints it on its console at each start, below the warning about this password."
        required
      >
        {(control) => <Input {...control} name="startCode" autoComplete="off" spellCheck={false} autoFocus />}
      </Field>
      <Field label="New password" error={errors.newPassword} hint="At least 8 characters." required>
        {(control) => <Input {...control} name="newPassword" type="password" autoComplete="new-password" />}
      </Field>
      <Field label="Confirm new password" error={errors.repeated} required>
        {(control) => <Input {...control} name="repeated" type="password" autoComplete="new-password" />}
      </Field>
      <Button type="submit" variant="primary" size="lg" className="w-full px-2" pending={isPending}>
        Change password and sign in
      </Button>
      <Button variant="ghost" className="w-full" disabled={isPending} onClick={onBack}>
        Back
      </Button>
    </form>
  );
}
