import { useQuery } from '@tanstack/react-query';
import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Redirect } from 'wouter';
import type { Answer } from '#contracts/endpoint.ts';
import { loginHint } from '#contracts/session.ts';
import { loginFailure } from '#web/features/session/login-failure.ts';
import { useLogin, useSession } from '#web/features/session/session.ts';
import { ApiError } from '#web/lib/api-error.ts';
import { dashboardAddress } from '#web/lib/dashboard-place.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { toast } from '#web/lib/toast.tsx';
import { useTitle } from '#web/lib/use-title.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { Logo } from '#web/ui/logo.tsx';

const ForgotPasswordDialog = lazy(() =>
  import('#web/features/session/forgot-password-dialog.tsx').then((m) => ({ default: m.ForgotPasswordDialog })),
);

export function LoginPage() {
  useTitle('Sign in');
  const hint = useQuery(endpointQuery(loginHint));
  // Nobody is signed in where people sign in, as a rule, and a browser reports the 401 that says so as an error of the page.
  const { user } = useSession({ ask: hint.data?.signedIn ?? hint.failureCount > 0 });
  if (user) return <Redirect to={dashboardAddress()} replace />;
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <div className="relative w-full max-w-sm animate-rise-in">
        <Card className="p-6 sm:p-8">
          <Logo className="mx-auto mb-4 size-10" />
          <h1 className="text-center text-xl font-semibold">Video Interview Management</h1>
          <p className="mt-1 mb-7 text-center text-muted">Sign in to access your dashboard</p>
          <LoginForm />
        </Card>
        <Hint credentials={hint.data?.defaultCredentials} />
      </div>
    </main>
  );
}

function LoginForm() {
  const login = useLogin();
  const [forgot, setForgot] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // While the request ran the fields were disabled, and lost the focus: whoever has mistyped types again.
  useEffect(() => {
    if (login.isError) typeAgain(form.current, 'password');
  }, [login.isError]);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const username = String(given.get('username') ?? '');
    const password = String(given.get('password') ?? '');
    if (!username.trim() || !password) {
      toast({ title: 'Error', description: 'Please enter both username and password', variant: 'destructive' });
      typeAgain(form.current, username.trim() ? 'password' : 'username');
      return;
    }
    login.mutate(
      { username, password, rememberMe: given.has('rememberMe') },
      {
        onSuccess: () =>
          toast({ title: 'Login Successful', description: 'Welcome to Video Interview Management System' }),
        onError: (error) =>
          toast({
            title: 'Authentication failed',
            description: error instanceof ApiError ? loginFailure(error) : 'Login failed',
            variant: 'destructive',
          }),
      },
    );
  }

  // The browser's own bubbles are off: the toast says what is missing.
  return (
    <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Field label="Username">
        {(control) => (
          <Input name="username" autoComplete="username" autoFocus disabled={login.isPending} {...control} />
        )}
      </Field>
      <Field label="Password">
        {(control) => (
          <Input
            name="password"
            type="password"
            autoComplete="current-password"
            disabled={login.isPending}
            {...control}
          />
        )}
      </Field>
      <div className="flex items-center justify-between">
        <Checkbox name="rememberMe" label="Remember me" disabled={login.isPending} />
        <Button variant="link" onClick={() => setForgot(true)}>
          Forgot password?
        </Button>
      </div>
      <Button type="submit" variant="primary" size="lg" pending={login.isPending} className="mt-1 w-full">
        {login.isPending ? 'Signing in...' : 'Sign in'}
      </Button>
      <Suspense>{forgot && <ForgotPasswordDialog onClose={() => setForgot(false)} />}</Suspense>
    </form>
  );
}

/** Leads to a field, what stands there selected. */
function typeAgain(form: HTMLFormElement | null, name: 'username' | 'password'): void {
  const field = form?.elements.namedItem(name);
  if (!(field instanceof HTMLInputElement)) return;
  field.focus();
  field.select();
}

/** The default credentials, while an account still accepts them: the server knows. It comes later than the rest and moves none of it. */
function Hint({ credentials }: { credentials: Answer<typeof loginHint>['defaultCredentials'] | undefined }) {
  if (!credentials) return null;
  return (
    <p className="absolute inset-x-0 top-full mt-4 animate-fade-in rounded-lg bg-sunken px-3 py-2.5 text-center text-sm text-muted">
      Default credentials: <strong className="font-medium text-ink">{credentials.username}</strong> /{' '}
      <strong className="font-medium text-ink">{credentials.password}</strong>
    </p>
  );
}
