import { randomBytes } from 'node:crypto';
import { AppError } from '#server/app-error.ts';
import type { Executor } from '#server/db/database.ts';
import { withdrawMails } from '#server/features/mail/mail.service.ts';
import { endSessionsOfAccount } from '#server/features/session/sessions/session-lifecycle.ts';
import { hashBytes } from '#server/features/session/sessions/session-token.ts';
import type { SignInDeps } from '#server/features/session/sign-in/sign-in.ts';
import { identifyActor } from '#server/request-context.ts';
import { lockAccount, updatePasswordHash } from './accounts.repo.ts';
import { invitationReference } from './invitation-mail.ts';
import { deleteInvitation, findInvited, upsertInvitation } from './invitations.repo.ts';
import { checkNewPassword } from './password-policy.ts';
import { hashPassword } from './passwords.ts';

/** 128 bits. */
const TOKEN_BYTES = 16;
const LIFETIME_MS = 72 * 60 * 60 * 1_000;

/** The only object that contains the plain token of an invitation. */
export interface NewInvitation {
  token: string;
  expiresAt: Date;
}

/** Links to choose a password, for new accounts and forgotten passwords. */
export class Invitations {
  readonly #deps: SignInDeps;

  constructor(deps: SignInDeps) {
    this.#deps = deps;
  }

  /** Replaces the account's earlier invitation. */
  async issue(tx: Executor, accountId: number): Promise<NewInvitation> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const expiresAt = new Date(this.#deps.clock() + LIFETIME_MS);
    const token_hash = hashBytes(this.#hashOf(token));
    await upsertInvitation(tx, { account_id: accountId, token_hash, expires_at: expiresAt });
    return { token, expiresAt };
  }

  /**
   * Changes nothing, because mail scanners open links.
   * @throws AppError `not_found`, the same for unknown, used and expired tokens, or
   * `too_many_requests` after many of them
   */
  async find(token: string, address: string): Promise<{ id: number; username: string }> {
    const { db, throttle, clock } = this.#deps;
    const attempt = this.#attempt(token, address);
    await throttle.checkWait(attempt);
    const invited = await findInvited(db, this.#hashOf(token), new Date(clock()));
    if (invited) return invited;
    await throttle.beginAttempt(attempt);
    throw invalid();
  }

  /**
   * Sets the password, ends all sessions of the account and deletes the invitation. A second factor
   * stays.
   * @throws AppError as `find` does, or `invalid_input` for the field `newPassword`
   */
  async accept(token: string, newPassword: string, address: string): Promise<void> {
    const { db, gate, isBreached, onSessionsEnded } = this.#deps;
    const { username } = await this.find(token, address);
    await checkNewPassword(newPassword, { username, field: 'newPassword', isBreached });
    const identify = () => ({ attempt: this.#attempt(token, address) });
    const accountId = await gate.runLimited(address, identify, async () => {
      const passwordHash = await hashPassword(newPassword);
      return await db.transaction().execute((tx) => this.#accept(tx, token, { passwordHash, address }));
    });
    onSessionsEnded(accountId);
  }

  async #accept(
    tx: Executor,
    token: string,
    { passwordHash, address }: { passwordHash: string; address: string },
  ): Promise<number> {
    const { events, clock } = this.#deps;
    const hash = this.#hashOf(token);
    const invited = await findInvited(tx, hash, new Date(clock()));
    if (!invited) throw invalid();
    const { id, username } = invited;
    // Like a change of the account: first the account, then its invitation.
    await lockAccount(tx, id);
    if (!(await deleteInvitation(tx, hash))) throw invalid();
    await withdrawMails(tx, [invitationReference(id)]);
    await updatePasswordHash(tx, username, passwordHash);
    const otherSessions = await endSessionsOfAccount(tx, events, id);
    identifyActor({ accountId: id, username });
    await events.record(tx, 'own-account.changed', { username, address, change: 'invitation', otherSessions });
    return id;
  }

  #hashOf(token: string): string {
    return this.#deps.hash(`invitation ${token}`);
  }

  /** Counted separately, so that old links in mails do not delay the sign-ins of an office. */
  #attempt(token: string, address: string) {
    return { name: `invitation ${this.#hashOf(token)}`, address: `invitations from ${address}` };
  }
}

const invalid = () =>
  new AppError('not_found', 'This invitation no longer exists. Ask an administrator for a new link.');
