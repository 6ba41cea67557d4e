import type { SignInDeps } from '#server/features/session/sign-in/sign-in.ts';
import type { IdentityProvider } from '#server/ports/identity-provider.ts';
import type { Sealer } from '#server/secrets/sealer.ts';
import { BackChannelLogout } from './back-channel-logout.ts';
import { IdentityConfirmation } from './identity-confirmation.ts';
import type { RoleSettings } from './role-claim.ts';
import { SingleSignOn } from './single-sign-on.ts';

export interface OidcOptions {
  provider: IdentityProvider;
  /** The text of the button after `Sign in with`. */
  name: string;
  roles: RoleSettings;
  createsAccounts: boolean;
  /** True: passwords are rejected, except for the account `breakGlass`. */
  isOnly: boolean;
  breakGlass: string | undefined;
}

interface OidcDeps extends SignInDeps {
  sealer: Sealer;
  /** Called after the commit with an account whose sessions have ended or have other rights. */
  onSessionsEnded: (accountId: number) => void;
}

export type Oidc = ReturnType<typeof openOidc>;

/** Single sign-on with a provider of OpenID Connect (docs/decisions/0037). */
export function openOidc(deps: OidcDeps, { name, ...options }: OidcOptions) {
  const all = { ...deps, ...options, onSessionsChanged: deps.onSessionsEnded };
  return {
    name,
    signOn: new SingleSignOn(all),
    confirmation: new IdentityConfirmation(all),
    logout: new BackChannelLogout(all),
  };
}
