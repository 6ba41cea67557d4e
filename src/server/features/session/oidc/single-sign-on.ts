import type { SignOnRefusal } from '#contracts/rules/sign-on-refusals.ts';
import { AttemptLimit } from '#server/attempt-limit.ts';
import type { Executor } from '#server/db/database.ts';
import { lockAccounts } from '#server/features/session/accounts/accounts.repo.ts';
import { takenField } from '#server/features/session/accounts/administered-accounts.repo.ts';
import type { SessionCookie } from '#server/features/session/sessions/session-token.ts';
import type { SignInDeps, SignInOrigin } from '#server/features/session/sign-in/sign-in.ts';
import { type Identity, type IdentityProvider, RefusedIdentity } from '#server/ports/identity-provider.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import type { Sealer } from '#server/secrets/sealer.ts';
import { matchAccount } from './account-match.ts';
import { enterAccount } from './enter-account.ts';
import { claimedRole, type RoleSettings } from './role-claim.ts';
import { ATTEMPT, type Attempt, openState, PENDING_IDENTITY, sealState } from './sealed-state.ts';

export interface SingleSignOnDeps extends SignInDeps {
  sealer: Sealer;
  provider: IdentityProvider;
  roles: RoleSettings;
  createsAccounts: boolean;
}

/** Per address. More would fill the system logs. */
const LOGGED_REFUSALS_PER_MINUTE = 20;
/** Each of them calls the provider. */
const CALLBACKS_PER_ATTEMPT = 5;

interface Refused {
  kind: 'refused';
  reason: SignOnRefusal;
}

/** With details for the system logs. The browser does not receive them. */
interface Refusal extends Refused {
  username?: string;
  details?: string;
}

/** `attempt` is for the browser's cookie. */
type BegunSignOn = { kind: 'begun'; url: URL; attempt: string };

/** The result of the return from the provider. */
type SignOnOutcome =
  | { kind: 'signed-in'; accountId: number; to: string; cookie: SessionCookie }
  /** The person has to prove that the account is theirs. `pending` is for the browser's cookie. */
  | { kind: 'unproven'; username: string; pending: string };

/** Sign-ins with the company's own identity, at a provider of OpenID Connect. */
export class SingleSignOn {
  readonly #deps: SingleSignOnDeps;
  readonly #logged = new AttemptLimit(LOGGED_REFUSALS_PER_MINUTE);
  /** Key: the state of the attempt, because a whole office may share one address. */
  readonly #callbacks = new AttemptLimit(CALLBACKS_PER_ATTEMPT);

  constructor(deps: SingleSignOnDeps) {
    this.#deps = deps;
  }

  /** Returns where the browser signs in. */
  async begin(redirectUri: string, to: string, address: string): Promise<BegunSignOn | Refused> {
    try {
      const { url, checks } = await this.#deps.provider.beginSignIn(redirectUri);
      return { kind: 'begun', url, attempt: sealState(this.#deps, ATTEMPT, { ...checks, redirectUri, to }) };
    } catch (error) {
      const refusal = refusalOf(error);
      // Nothing was received from the browser yet.
      if (refusal.reason === 'invalid') refusal.reason = 'misconfigured';
      return await this.#refuse(refusal, address);
    }
  }

  /**
   * Signs the person in. `parameters` is the query of the callback, and `sealed` the cookie of
   * `begin`.
   */
  async finish(
    parameters: URLSearchParams,
    sealed: string | undefined,
    origin: SignInOrigin,
  ): Promise<SignOnOutcome | Refused> {
    const { db, hash, onSessionEnded, onSessionsEnded } = this.#deps;
    const attempt = openState(this.#deps, ATTEMPT, sealed);
    if (attempt === null || attempt.state !== parameters.get('state') || this.#callbacks.isReached(attempt.state))
      return await this.#refuse({ kind: 'refused', reason: 'expired' }, origin.address);
    this.#callbacks.count(attempt.state);
    const identity = await this.#readIdentity(attempt, parameters);
    if ('kind' in identity) return await this.#refuse(identity, origin.address);
    const enter = () => db.transaction().execute((tx) => this.#enter(tx, identity, { ...origin, to: attempt.to }));
    const outcome = await enter().catch((error: unknown) => {
      if (!takenField(error)) throw error;
      // An invitation, which does not lock the accounts, has just taken the name or the address.
      return enter();
    });
    if (outcome.kind === 'refused') return await this.#refuse(outcome, origin.address, identity);
    if (outcome.kind === 'signed-in') {
      onSessionsEnded(outcome.accountId);
      if (origin.oldToken !== null) onSessionEnded(hash(origin.oldToken));
    }
    return outcome;
  }

  async #readIdentity({ redirectUri, ...checks }: Attempt, parameters: URLSearchParams): Promise<Identity | Refusal> {
    const returned = new URL(redirectUri);
    returned.search = String(parameters);
    try {
      return await this.#deps.provider.finishSignIn(returned, checks);
    } catch (error) {
      return refusalOf(error);
    }
  }

  async #enter(
    tx: Executor,
    identity: Identity,
    { to, ...origin }: SignInOrigin & { to: string },
  ): Promise<SignOnOutcome | Refusal> {
    const { events, createsAccounts, roles } = this.#deps;
    // Concurrent first sign-ins of a person wait for each other here.
    const accounts = await lockAccounts(tx);
    const role = claimedRole(identity.claims, roles);
    const { address } = origin;
    const match = await matchAccount(tx, identity, { events, address, createsAccounts, role: role ?? roles.byDefault });
    if (match.kind === 'refused') return match;
    const { issuer, subject, email, providerSession } = identity;
    const { accountId, username } = match.account;
    if (match.kind === 'unproven') {
      const person = { accountId, identity: { issuer, subject, email }, providerSession, role };
      return { kind: 'unproven', username, pending: sealState(this.#deps, PENDING_IDENTITY, person) };
    }
    const cookie = await enterAccount(tx, this.#deps, {
      ...{ account: match.account, accounts, role, origin, person: { issuer, subject } },
      signOn: { identityId: match.identityId, providerSession },
    });
    return { kind: 'signed-in', accountId, to, cookie };
  }

  async #refuse(refusal: Refusal, address: string, identity?: Identity): Promise<Refused> {
    const { db, events } = this.#deps;
    const { kind, reason, details = '', username } = refusal;
    if (this.#logged.isReached(address)) return { kind, reason };
    this.#logged.count(address);
    await events.record(db, 'single-sign-on.refused', {
      ...{ address, reason, details },
      ...(username !== undefined && { username }),
      ...(identity && { identity: { issuer: identity.issuer, subject: identity.subject, email: identity.email } }),
    });
    return { kind, reason };
  }
}

/** @throws the error if it has nothing to do with the provider */
function refusalOf(error: unknown): Refusal {
  if (error instanceof RefusedIdentity) return { kind: 'refused', reason: error.kind, details: error.message };
  if (!(error instanceof UpstreamError)) throw error;
  return {
    ...{ kind: 'refused', details: error.message },
    reason: error.kind === 'unavailable' ? 'unreachable' : 'misconfigured',
  };
}
