import type { SignInDeps } from '#server/features/session/sign-in/sign-in.ts';
import type { Sealer } from '#server/secrets/sealer.ts';
import { BackChannelLogout } from './back-channel-logout.ts';
import { IdentityConfirmation } from './identity-confirmation.ts';
import { SingleSignOn, type SingleSignOnDeps } from './single-sign-on.ts';

export interface OidcOptions extends Pick<SingleSignOnDeps, 'provider' | 'roles' | 'createsAccounts'> {
  /** The text of the button after `Sign in with`. */
  name: string;
  /** True: passwords are rejected, except for the account `breakGlass`. */
  isOnly: boolean;
  breakGlass: string | undefined;
}

export type Oidc = ReturnType<typeof openOidc>;

/** Single sign-on with a provider of OpenID Connect (docs/decisions/0037). */
export function openOidc(signInDeps: SignInDeps & { sealer: Sealer }, { name, ...options }: OidcOptions) {
  const deps = { ...signInDeps, ...options };
  return {
    name,
    signOn: new SingleSignOn(deps),
    confirmation: new IdentityConfirmation(deps),
    logout: new BackChannelLogout(deps),
  };
}
