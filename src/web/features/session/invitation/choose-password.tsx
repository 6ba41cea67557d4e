import type { FormEvent } from 'react';
import { useLocation } from 'wouter';
import { useLogin } from '#web/features/session/session.ts';
import type { ApiError } from '#web/lib/api-error.ts';
import { toast } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { useFieldErrors } from '#web/ui/forms/use-field-errors.ts';

/** Sets the password of the invited person and signs them in. */
export function ChoosePassword({ token, username }: { token: string; username: string }) {
  const { form, errors, showErrors, showRejection, clearErrors } = useFieldErrors<'newPassword' | 'repeated'>();
  const { accept, isPending } = useAccept(token, username, showRejection(['newPassword'], "Couldn't set the password"));

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const newPassword = String(data.get('newPassword') ?? '');
    if (newPassword === '') showErrors({ newPassword: 'Password is required' });
    else if (newPassword !== data.get('repeated')) showErrors({ repeated: "Passwords don't match" });
    else if (!isPending) {
      clearErrors();
      accept(newPassword);
    }
  }

  return (
    <form ref={form} onSubmit={submit} noValidate aria-label="Choose a password" className="flex flex-col gap-4">
      <div className="mb-3 text-center">
        <h1 className="text-xl font-semibold wrap-anywhere">Hello {username}</h1>
        <p className="mt-1 text-muted">Choose a password for Video Interview Management</p>
      </div>
      {/* Lets a password manager store the account. */}
      <input type="text" hidden readOnly autoComplete="username" value={username} />
      <Field label="Password" error={errors.newPassword} hint="At least 8 characters." required>
        {(control) => <Input {...control} name="newPassword" type="password" autoComplete="new-password" autoFocus />}
      </Field>
      <Field label="Confirm password" error={errors.repeated} required>
        {(control) => <Input {...control} name="repeated" type="password" autoComplete="new-password" />}
      </Field>
      <Button type="submit" variant="primary" size="lg" className="w-full" pending={isPending}>
        Set password and sign in
      </Button>
    </form>
  );
}

function useAccept(token: string, username: string, onRejected: (error: ApiError) => void) {
  const [, navigate] = useLocation();
  const login = useLogin();
  const signIn = (password: string) =>
    login.mutate(
      { username, password },
      {
        onSuccess: () => {
          toast({ title: 'Login Successful', description: 'Welcome to Video Interview Management System' });
          navigate('/', { replace: true });
        },
        // The account has a second factor, or signs in elsewhere.
        onError: () => {
          toast({ title: 'Password set', description: 'Sign in with your new password.' });
          navigate('/login', { replace: true });
        },
      },
    );
  const accept = useAction('POST /api/invitations/:token', {
    onSuccess: (_, { body }) => signIn(body.newPassword),
    onError: onRejected,
  });
  return {
    accept: (newPassword: string) => accept.mutate({ params: { token }, body: { newPassword } }),
    isPending: accept.isPending || login.isPending,
  };
}
