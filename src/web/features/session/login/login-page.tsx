import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import type { ResponseOf } from '#contracts/endpoint.ts';
import type { getLoginHint, User } from '#contracts/session.ts';
import { hasDrafts } from '#web/features/drafts/has-drafts.ts';
import { Logo } from '#web/features/session/logo.tsx';
import { useSession, useSetUser } from '#web/features/session/session.ts';
import { urlAfterLogin } from '#web/lib/dashboard-place.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { useTitle } from '#web/lib/use-title.ts';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';
import { LoginForm, type TypedCredentials } from './login-form.tsx';
import { SignOnButton, SignOnRefused } from './single-sign-on.tsx';

const LOADING = { fallback: <Loading>Loading...</Loading> };

const ReplacePassword = lazyPart(() => import('./replace-password.tsx').then((m) => m.ReplacePassword), LOADING);

const RequiredSetup = lazyPart(() => import('./required-setup.tsx').then((m) => m.RequiredSetup), LOADING);

const ConfirmIdentity = lazyPart(() => import('./confirm-identity.tsx').then((m) => m.ConfirmIdentity), LOADING);

export function LoginPage() {
  useTitle('Sign in');
  const parameters = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const [settingUp, setSettingUp] = useState<TypedCredentials | null>(null);
  const [keepsText] = useState(hasDrafts);
  const setUser = useSetUser();
  // The setup of a second factor starts a session, but continues until the recovery codes are
  // saved.
  const hint = useQuery({ ...endpointQuery('/api/login/hint'), enabled: settingUp === null });
  // Visitors of the login are rarely signed in, and browsers report a 401 as a page error, so the
  // user is requested only if the hint reports a session.
  const { user } = useSession({ ask: hint.data?.signedIn ?? hint.failureCount > 0 });
  if (user && !settingUp) return <Redirect to={urlAfterLogin()} replace />;
  // The hint decides which ways to sign in there are. Without it, the form may jump or disappear.
  if (hint.isPending && hint.failureCount === 0) return <main className="min-h-dvh" />;
  const ways = waysOf(hint.data, parameters);
  const confirming = parameters.get('confirm');
  const isPlain = settingUp === null && confirming === null;
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <div className="relative w-full max-w-sm animate-rise-in">
        <Card className="p-6 sm:p-8">
          <Logo className="mx-auto mb-4 size-10" />
          <h1 className="text-center text-xl font-semibold">Video Interview Management</h1>
          <p className="mt-1 mb-7 text-center text-muted">Sign in to access your dashboard</p>
          {keepsText && (
            <p role="status" className="bordered mb-5 rounded-md bg-sunken px-3 py-2 text-sm">
              Your session ended. Your text is kept.
            </p>
          )}
          {isPlain && <SignOnRefused reason={parameters.get('refused')} {...ways} />}
          {confirming === null ? (
            <Ways {...ways} settingUp={settingUp} onSettingUp={setSettingUp} onSignedIn={setUser} />
          ) : (
            <ConfirmIdentity
              {...{ username: confirming, name: ways.name, onSignedIn: setUser }}
              onBack={() => navigate('/login', { replace: true })}
            />
          )}
        </Card>
        {isPlain && !ways.isPasswordHidden && <Hint credentials={hint.data?.defaultCredentials} />}
      </div>
    </main>
  );
}

function waysOf(hint: ResponseOf<typeof getLoginHint> | null | undefined, parameters: URLSearchParams) {
  return {
    name: hint?.oidc?.name ?? 'single sign-on',
    hasProvider: Boolean(hint?.oidc),
    // For the account that may use its password all the same (OIDC_BREAK_GLASS).
    isPasswordHidden: hint?.isPasswordHidden === true && !parameters.has('password'),
  };
}

interface WaysProps extends ReturnType<typeof waysOf> {
  settingUp: TypedCredentials | null;
  onSettingUp: (credentials: TypedCredentials | null) => void;
  onSignedIn: (user: User) => void;
}

/** The password form with what follows it, and the button of the provider. */
function Ways({ name, hasProvider, isPasswordHidden, settingUp, onSettingUp, onSignedIn }: WaysProps) {
  const [replacing, setReplacing] = useState<TypedCredentials | null>(null);
  return (
    <>
      <div hidden={settingUp !== null || replacing !== null}>
        {!isPasswordHidden && <LoginForm onSetupRequired={onSettingUp} onPasswordRequired={setReplacing} />}
        {hasProvider && <SignOnButton name={name} isOnly={isPasswordHidden} />}
      </div>
      {replacing && (
        <ReplacePassword
          credentials={replacing}
          onBack={() => setReplacing(null)}
          onSetupRequired={(credentials) => {
            setReplacing(null);
            onSettingUp(credentials);
          }}
        />
      )}
      {settingUp && (
        <RequiredSetup
          credentials={settingUp}
          onBack={() => onSettingUp(null)}
          onSignedIn={(user) => {
            onSettingUp(null);
            onSignedIn(user);
          }}
        />
      )}
    </>
  );
}

/** Shows the default credentials while they work. Positioned, because it must not move the rest. */
function Hint({ credentials }: { credentials: ResponseOf<typeof getLoginHint>['defaultCredentials'] | undefined }) {
  if (!credentials) return null;
  return (
    <p className="bordered absolute inset-x-0 top-full mt-4 animate-fade-in rounded-lg bg-sunken px-3 py-2.5 text-center text-sm text-muted">
      Default credentials: <strong className="font-medium text-ink">{credentials.username}</strong> /{' '}
      <strong className="font-medium text-ink">{credentials.password}</strong>
    </p>
  );
}
