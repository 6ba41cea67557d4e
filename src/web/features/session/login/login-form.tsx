import { type FormEvent, useEffect, useRef, useState } from 'react';
import { CodeField } from '#web/features/session/second-factor/code-field.tsx';
import { useLogin } from '#web/features/session/session.ts';
import { ApiError } from '#web/lib/api-error.ts';
import { toast } from '#web/lib/toast.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Checkbox } from '#web/ui/forms/checkbox.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';

const ForgotPasswordDialog = lazyPart(() => import('./forgot-password-dialog.tsx').then((m) => m.ForgotPasswordDialog));

export interface TypedCredentials {
  username: string;
  password: string;
  rememberMe: boolean;
}

interface Props {
  /** The account must set up a second factor first. */
  onSetupRequired: (credentials: TypedCredentials) => void;
  /** The typed password is the default one, which must be replaced first. */
  onPasswordRequired: (credentials: TypedCredentials) => void;
}

/** Asks for username and password, and then for a code if the account has a second factor. */
export function LoginForm({ onSetupRequired, onPasswordRequired }: Props) {
  const login = useLogin();
  const [asksCode, setAsksCode] = useState(false);
  const [missing, setMissing] = useState<readonly Name[]>([]);
  const form = useRef<HTMLFormElement>(null);
  // The fields were disabled during the request and lost the focus.
  useEffect(() => {
    if (login.error) focusField(form.current, asksCode ? 'code' : 'password');
  }, [login.error, asksCode]);

  function refused(error: Error, credentials: TypedCredentials) {
    const code = error instanceof ApiError ? error.code : undefined;
    if (code === 'second_factor_required') setAsksCode(true);
    else if (code === 'second_factor_setup_required') onSetupRequired(credentials);
    else if (code === 'password_change_required') onPasswordRequired(credentials);
    else {
      // The password has changed in the meantime: ask for it again.
      if (code === 'wrong_credentials') setAsksCode(false);
      const description = error instanceof ApiError ? loginFailure(error) : 'Login failed';
      toast({ title: 'Authentication failed', description, variant: 'destructive' });
    }
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const credentials = {
      username: String(typed.get('username') ?? ''),
      password: String(typed.get('password') ?? ''),
      rememberMe: typed.has('rememberMe'),
    };
    const code = String(typed.get('code') ?? '').trim();
    const empty = missingFields(credentials, asksCode && !code);
    setMissing(empty);
    const [first] = empty;
    if (first) {
      const description = first === 'code' ? 'Enter a code' : 'Please enter both username and password';
      toast({ title: 'Error', description, variant: 'destructive' });
      focusField(form.current, first);
      return;
    }
    login.mutate(asksCode ? { ...credentials, code } : credentials, {
      onSuccess: () =>
        toast({ title: 'Login Successful', description: 'Welcome to Video Interview Management System' }),
      onError: (error) => refused(error, credentials),
    });
  }

  // noValidate: a toast shows what is missing instead of the browser's bubbles.
  return (
    <form
      ref={form}
      onSubmit={submit}
      onChange={(event: FormEvent) =>
        setMissing(missing.filter((name) => name !== (event.target as HTMLInputElement).name))
      }
      noValidate
      className="flex flex-col gap-4"
    >
      {/* The fields stay in the form, so that a password manager sees the credentials. */}
      <div hidden={asksCode} className="flex flex-col gap-4">
        <PasswordFields disabled={login.isPending} missing={missing} />
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

function PasswordFields({ disabled, missing }: { disabled: boolean; missing: readonly Name[] }) {
  const [forgot, setForgot] = useState(false);
  return (
    <>
      <Field label="Username" error={missing.includes('username') ? 'Enter your username' : undefined}>
        {(control) => <Input name="username" autoComplete="username" autoFocus disabled={disabled} {...control} />}
      </Field>
      <Field label="Password" error={missing.includes('password') ? 'Enter your password' : undefined}>
        {(control) => (
          <Input name="password" type="password" autoComplete="current-password" disabled={disabled} {...control} />
        )}
      </Field>
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <Checkbox name="rememberMe" label="Remember me" disabled={disabled} />
        <Button variant="link" onClick={() => setForgot(true)}>
          Forgot password?
        </Button>
      </div>
      {forgot && <ForgotPasswordDialog onClose={() => setForgot(false)} />}
    </>
  );
}

type Name = 'username' | 'password' | 'code';

function missingFields({ username, password }: TypedCredentials, isCodeMissing: boolean): Name[] {
  const isMissing = { username: !username.trim(), password: !password, code: isCodeMissing };
  return (['username', 'password', 'code'] as const).filter((name) => isMissing[name]);
}

function focusField(form: HTMLFormElement | null, name: Name): void {
  const field = form?.elements.namedItem(name);
  if (!(field instanceof HTMLInputElement)) return;
  field.focus();
  field.select();
}

const MESSAGE_BY_STATUS: Record<number, string> = {
  401: 'Invalid username or password',
  500: 'Internal server error. Please try again later.',
};

/** Returns the toast text of a failed login: the message, then the details in parentheses. */
export function loginFailure({
  status,
  code,
  message,
  details,
}: Pick<ApiError, 'status' | 'message' | 'details'> & { code?: string | undefined }): string {
  const text = (code !== 'wrong_code' && MESSAGE_BY_STATUS[status]) || message || 'Login failed';
  return details ? `${text} (${details})` : text;
}
