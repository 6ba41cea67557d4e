import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { ErrorCode } from '#contracts/errors.ts';
import { loginFailure } from '#web/features/session/login-failure.ts';
import { CodeField } from '#web/features/session/second-factor/code-field.tsx';
import { useLogin } from '#web/features/session/session.ts';
import { ApiError } from '#web/lib/api-error.ts';
import { toast } from '#web/lib/toast.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';

const ForgotPasswordDialog = lazy(() =>
  import('#web/features/session/forgot-password-dialog.tsx').then((m) => ({ default: m.ForgotPasswordDialog })),
);

/** What was typed. */
export interface Given {
  username: string;
  password: string;
  rememberMe: boolean;
}

/** Asks for name and password, and after them for a code where the account has a second factor. */
export function LoginForm({ onSetUp }: { onSetUp: (given: Given) => void }) {
  const login = useLogin();
  const [asksCode, setAsksCode] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // While the request ran the fields were disabled, and lost the focus: whoever has mistyped types again.
  useEffect(() => {
    if (login.error) typeAgain(form.current, asksCode ? 'code' : 'password');
  }, [login.error, asksCode]);

  function refused(error: Error, given: Given) {
    const code = error instanceof ApiError ? (error.code as ErrorCode | undefined) : undefined;
    if (code === 'second_factor_required') setAsksCode(true);
    else if (code === 'second_factor_setup_required') onSetUp(given);
    else {
      // The password was changed meanwhile: that is what has to be typed again.
      if (code === 'wrong_credentials') setAsksCode(false);
      const description = error instanceof ApiError ? loginFailure(error) : 'Login failed';
      toast({ title: 'Authentication failed', description, variant: 'destructive' });
    }
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const given = {
      username: String(typed.get('username') ?? ''),
      password: String(typed.get('password') ?? ''),
      rememberMe: typed.has('rememberMe'),
    };
    const code = String(typed.get('code') ?? '').trim();
    const missing = missingField(given, asksCode && !code);
    if (missing) {
      const description = missing === 'code' ? 'Please enter a code' : 'Please enter both username and password';
      toast({ title: 'Error', description, variant: 'destructive' });
      typeAgain(form.current, missing);
      return;
    }
    login.mutate(asksCode ? { ...given, code } : given, {
      onSuccess: () =>
        toast({ title: 'Login Successful', description: 'Welcome to Video Interview Management System' }),
      onError: (error) => refused(error, given),
    });
  }

  // The browser's own bubbles are off: the toast says what is missing.
  return (
    <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
      {/* They stay in the form, so that a password manager sees what signs in. */}
      <div hidden={asksCode} className="flex flex-col gap-4">
        <PasswordFields disabled={login.isPending} />
      </div>
      {asksCode && <CodeField autoFocus disabled={login.isPending} />}
      <Button type="submit" variant="primary" size="lg" pending={login.isPending} className="mt-1 w-full">
        {login.isPending ? 'Signing in...' : 'Sign in'}
      </Button>
      {asksCode && (
        <Button variant="ghost" className="w-full" disabled={login.isPending} onClick={() => setAsksCode(false)}>
          Back
        </Button>
      )}
    </form>
  );
}

function PasswordFields({ disabled }: { disabled: boolean }) {
  const [forgot, setForgot] = useState(false);
  return (
    <>
      <Field label="Username">
        {(control) => <Input name="username" autoComplete="username" autoFocus disabled={disabled} {...control} />}
      </Field>
      <Field label="Password">
        {(control) => (
          <Input name="password" type="password" autoComplete="current-password" disabled={disabled} {...control} />
        )}
      </Field>
      <div className="flex items-center justify-between">
        <Checkbox name="rememberMe" label="Remember me" disabled={disabled} />
        <Button variant="link" onClick={() => setForgot(true)}>
          Forgot password?
        </Button>
      </div>
      <Suspense>{forgot && <ForgotPasswordDialog onClose={() => setForgot(false)} />}</Suspense>
    </>
  );
}

type Name = 'username' | 'password' | 'code';

function missingField({ username, password }: Given, code: boolean): Name | null {
  if (!username.trim()) return 'username';
  if (!password) return 'password';
  return code ? 'code' : null;
}

/** Leads to a field, what stands there selected. */
function typeAgain(form: HTMLFormElement | null, name: Name): void {
  const field = form?.elements.namedItem(name);
  if (!(field instanceof HTMLInputElement)) return;
  field.focus();
  field.select();
}
