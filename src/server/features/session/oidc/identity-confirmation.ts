import type { HandlerInput } from '#contracts/endpoint.ts';
import type { confirmIdentity } from '#contracts/session.ts';
import { AppError } from '#server/app-error.ts';
import type { Executor } from '#server/db/database.ts';
import { lockAccounts, lockUnchangedAccount } from '#server/features/session/accounts/accounts.repo.ts';
import { viewUser } from '#server/features/session/accounts/accounts.view.ts';
import { DEFAULT_CREDENTIALS } from '#server/features/session/accounts/login-hint.ts';
import { findSignedIn } from '#server/features/session/accounts/signed-in.repo.ts';
import type { SessionCookie } from '#server/features/session/sessions/session-token.ts';
import type { PasswordMatch } from '#server/features/session/sign-in/password-check.ts';
import type { SignInOrigin, StartedSession } from '#server/features/session/sign-in/sign-in.ts';
import { enterAccount } from './enter-account.ts';
import { findById, findLinked, insertIdentity } from './identities.repo.ts';
import { openState, PENDING_IDENTITY, type PendingIdentity } from './sealed-state.ts';
import type { SingleSignOnDeps } from './single-sign-on.ts';

type Proof = HandlerInput<typeof confirmIdentity>['body'];
type Outcome = { cookie: SessionCookie } | 'account-changed' | 'password-default' | 'code-missing' | 'code-wrong';

interface LinkInput {
  match: PasswordMatch;
  proof: Proof;
  pending: PendingIdentity;
  origin: SignInOrigin;
}

const NOTHING_PENDING = 'This sign-in has expired. Start again with single sign-on.';

/**
 * Links a person at the provider to an administrator's account once they prove that it is theirs.
 */
export class IdentityConfirmation {
  readonly #deps: SingleSignOnDeps;

  constructor(deps: SingleSignOnDeps) {
    this.#deps = deps;
  }

  /**
   * Links the person in the cookie and starts a session. Guessing is throttled like a sign-in.
   * @throws AppError `invalid_input` with nothing pending, `wrong_credentials`, `wrong_code`,
   * `second_factor_required`, `password_change_required` or `too_many_requests`
   */
  async confirm(proof: Proof, sealed: string | undefined, origin: SignInOrigin): Promise<StartedSession> {
    const { db, passwords, codes, hash, onSessionEnded, onSessionsEnded } = this.#deps;
    const pending = openState(this.#deps, PENDING_IDENTITY, sealed);
    const account = pending && (await findById(db, pending.accountId));
    if (!account) throw new AppError('invalid_input', NOTHING_PENDING);
    const { username, accountId } = account;
    const credentials = { username, password: proof.password };
    const outcome = await passwords.runAuthenticated(credentials, origin.address, async (match) => {
      if (proof.code !== undefined) await codes.beginAttempt(accountId);
      const outcome = await db.transaction().execute((tx) => this.#link(tx, { match, proof, pending, origin }));
      if (outcome === 'account-changed') return await passwords.refuse(match);
      return outcome === 'code-wrong' ? await codes.refuse(match) : outcome;
    });
    if (outcome === 'password-default')
      throw new AppError('password_change_required', 'Sign in with your password first to replace the default one.');
    if (outcome === 'code-missing')
      throw new AppError('second_factor_required', 'Enter the code from your authenticator app.');
    onSessionsEnded(accountId);
    if (origin.oldToken !== null) onSessionEnded(hash(origin.oldToken));
    return { user: viewUser(await findSignedIn(db, accountId)), cookie: outcome.cookie };
  }

  async #link(tx: Executor, { match, proof, pending, origin }: LinkInput): Promise<Outcome> {
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
    const identityId = await insertIdentity(tx, { account_id: accountId, ...identity });
    const person = { issuer, subject };
    const { address } = origin;
    await events.record(tx, 'identity.linked', { accountId, username, address, ...person, by: 'password' });
    const signOn = { identityId, providerSession };
    return { cookie: await enterAccount(tx, this.#deps, { account, accounts, person, signOn, role, origin }) };
  }
}
