import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Redirect } from 'wouter';
import type { Answer } from '#contracts/endpoint.ts';
import { type Given, LoginForm } from '#web/features/session/login-form.tsx';
import { useBecome, useSession } from '#web/features/session/session.ts';
import { loginHint } from '#web/lib/api.ts';
import { dashboardAddress } from '#web/lib/dashboard-place.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { useTitle } from '#web/lib/use-title.ts';
import { Card } from '#web/ui/card.tsx';
import { Loading } from '#web/ui/loading.tsx';
import { Logo } from '#web/ui/logo.tsx';

const RequiredSetUp = lazy(() =>
  import('#web/features/session/second-factor/required-set-up.tsx').then((m) => ({ default: m.RequiredSetUp })),
);

export function LoginPage() {
  useTitle('Sign in');
  const [settingUp, setSettingUp] = useState<Given | null>(null);
  const become = useBecome();
  // The set-up of a second factor opens a session, and goes on until its recovery codes are kept.
  const hint = useQuery({ ...endpointQuery(loginHint), enabled: settingUp === null });
  // Nobody is signed in where people sign in, as a rule, and a browser reports the 401 that says so as an error of the page.
  const { user } = useSession({ ask: hint.data?.signedIn ?? hint.failureCount > 0 });
  if (user && !settingUp) return <Redirect to={dashboardAddress()} replace />;
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <div className="relative w-full max-w-sm animate-rise-in">
        <Card className="p-6 sm:p-8">
          <Logo className="mx-auto mb-4 size-10" />
          <h1 className="text-center text-xl font-semibold">Video Interview Management</h1>
          <p className="mt-1 mb-7 text-center text-muted">Sign in to access your dashboard</p>
          <div hidden={settingUp !== null}>
            <LoginForm onSetUp={setSettingUp} />
          </div>
          <Suspense fallback={<Loading>Loading...</Loading>}>
            {settingUp && (
              <RequiredSetUp
                given={settingUp}
                onBack={() => setSettingUp(null)}
                onSignedIn={(user) => {
                  setSettingUp(null);
                  become(user);
                }}
              />
            )}
          </Suspense>
        </Card>
        {!settingUp && <Hint credentials={hint.data?.defaultCredentials} />}
      </div>
    </main>
  );
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
