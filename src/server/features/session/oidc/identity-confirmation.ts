import type { HandlerInput } from '#contracts/endpoint.ts';
import type { confirmIdentity } from '#contracts/single-sign-on.ts';
import { AppError } from '#server/app-error.ts';
import type { Executor } from '#server/db/database.ts';
import { lockAccounts, lockUnchangedAccount } from '#server/features/session/accounts/accounts.repo.ts';
import { viewUser } from '#server/features/session/accounts/accounts.view.ts';
import { DEFAULT_CREDENTIALS } from '#server/features/session/accounts/login-hint.ts';
import { findSignedIn } from '#server/features/session/accounts/signed-in.repo.ts';
import type { SessionCookie } from '#server/features/session/sessions/session-token.ts';
import type { PasswordMatch } from '#server/features/session/sign-in/password-check.ts';
import type { SignInDeps, SignInOrigin, StartedSession } from '#server/features/session/sign-in/sign-in.ts';
import type { Sealer } from '#server/secrets/sealer.ts';
import { enterAccount } from './enter-account.ts';
import { findById, findLinked, insertIdentity } from './identities.repo.ts';
import { type PendingIdentity, sealedPending } from './sealed-state.ts';

export interface IdentityConfirmationDeps extends SignInDeps {
  sealer: Sealer;
  /** Called after the commit with an account whose rights may have changed. */
  onSessionsChanged: (accountId: number) => void;
}

type Proof = HandlerInput<typeof confirmIdentity>['body'];
type Outcome = { cookie: SessionCookie } | 'account-changed' | 'password-default' | 'code-missing' | 'code-wrong';

const NOTHING_PENDING = 'This sign-in has expired. Start again with single sign-on.';

/**
 * Links a person at the provider to an administrator's account once they prove that it is theirs.
 */
export class IdentityConfirmation {
  readonly #deps: IdentityConfirmationDeps;
  readonly #pending;

  constructor(deps: IdentityConfirmationDeps) {
    this.#deps = deps;
    this.#pending = sealedPending(deps.sealer);
  }

  /**
   * Links the person in the cookie and starts a session. Guessing is throttled like a sign-in.
   * @throws AppError `invalid_input` with nothing pending, `wrong_credentials`, `wrong_code`,
   * `second_factor_required`, `password_change_required` or `too_many_requests`
   */
  async confirm(proof: Proof, sealed: string | undefined, origin: SignInOrigin): Promise<StartedSession> {
    const { db, gate, passwords, codes, hash, clock, onSessionEnded, onSessionsChanged } = this.#deps;
    const pending = this.#pending.open(sealed, clock());
    const account = pending && (await findById(db, pending.accountId));
    if (!account) throw new AppError('invalid_input', NOTHING_PENDING);
    const { username, accountId } = account;
    const { address } = origin;
    const outcome = await gate.runLimited(
      address,
      () => passwords.identify(username, address),
      async (identified) => {
        const match = await passwords.checkPassword(proof.password, identified);
        if (proof.code !== undefined) await codes.beginAttempt(accountId);
        const outcome = await db.transaction().execute((tx) => this.#link(tx, { match, proof, pending, origin }));
        if (outcome === 'account-changed') return await passwords.refuse(username, { address, waitMs: match.waitMs });
        return outcome === 'code-wrong' ? await codes.refuse(match) : outcome;
      },
    );
    if (outcome === 'password-default')
      throw new AppError('password_change_required', 'Sign in with your password first to replace the default one.');
    if (outcome === 'code-missing')
      throw new AppError('second_factor_required', 'Enter the code from your authenticator app.');
    onSessionsChanged(accountId);
    if (origin.oldToken !== null) onSessionEnded(hash(origin.oldToken));
    return { user: viewUser(await findSignedIn(db, accountId)), cookie: outcome.cookie };
  }

  async #link(
    tx: Executor,
    {
      match,
      proof,
      pending,
      origin,
    }: { match: PasswordMatch; proof: Proof; pending: PendingIdentity; origin: SignInOrigin },
  ): Promise<Outcome> {
    const { throttle, codes, secondFactor, events, isReachable, clock } = this.#deps;
    const {
      account: { id: accountId, username },
      attempt,
    } = match;
    const accounts = await lockAccounts(tx);
    const account = await findById(tx, accountId);
    if (!account || !(await lockUnchangedAccount(tx, match.account))) return 'account-changed';
    if (isReachable && proof.password === DEFAULT_CREDENTIALS.password) {
      await throttle.withdrawAttempt(tx, attempt);
      return 'password-default';
    }
    const verdict = await secondFactor.redeemCode(tx, { accountId, code: proof.code, now: clock() });
    if (verdict === 'wrong') return 'code-wrong';
    if (verdict === 'missing') {
      await throttle.withdrawAttempt(tx, attempt);
      await events.record(tx, 'sign-in.pending', { username, address: origin.address });
      return 'code-missing';
    }
    await throttle.recordSuccess(tx, attempt);
    if (proof.code !== undefined) await codes.recordSuccess(tx, accountId);
    const { identity, providerSession, role } = pending;
    const { issuer, subject } = identity;
    // Used twice, or an administrator has changed the accounts in the meantime.
    if (account.identityId !== null || (await findLinked(tx, issuer, subject)))
      throw new AppError('invalid_input', NOTHING_PENDING);
    const identityId = await insertIdentity(tx, { accountId, ...identity });
    const person = { issuer, subject };
    await events.record(tx, 'identity.linked', {
      accountId,
      username,
      address: origin.address,
      ...person,
      by: 'password',
    });
    const signOn = { identityId, providerSession };
    return { cookie: await enterAccount(tx, this.#deps, { account, accounts, person, signOn, role, origin }) };
  }
}
