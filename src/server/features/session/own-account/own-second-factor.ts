import type { z } from 'zod';
import type { EventData } from '#contracts/events.ts';
import type { RecoveryCodes, SecondFactor, SharedSecret } from '#contracts/second-factor.ts';
import { AppError } from '#server/app-error.ts';
import type { Executor } from '#server/db/database.ts';
import { lockAccountKey } from '#server/features/session/accounts/accounts.repo.ts';
import {
  countRecoveryCodes,
  deleteFactor,
  findConfirmedAt,
} from '#server/features/session/second-factor/second-factor.repo.ts';
import type { Caller } from '#server/features/session/sessions/caller.ts';
import { replaceSessions } from '#server/features/session/sessions/session-lifecycle.ts';
import type { SessionCookie } from '#server/features/session/sessions/session-token.ts';
import { WRONG_CODE } from '#server/features/session/sign-in/code-check.ts';
import type { SignInDeps } from '#server/features/session/sign-in/sign-in.ts';
import { accountAttempt } from '#server/features/session/sign-in/sign-in-throttle.ts';
import type { SignedIn } from '#server/http/guards/session-guard.ts';
import type { Proof, Reauthentication } from './reauthentication.ts';

type Codes = z.infer<typeof RecoveryCodes>;

interface OwnSecondFactorDeps extends SignInDeps {
  reauthentication: Reauthentication;
}

/**
 * Users manage the second factor of their account. Turning it on, moving it to another app
 * and turning it off end the account's other sessions and start a new one for the caller. End the
 * caller's old session once the new cookie has been sent.
 */
export class OwnSecondFactor {
  readonly #deps: OwnSecondFactorDeps;

  constructor(deps: OwnSecondFactorDeps) {
    this.#deps = deps;
  }

  async read({ accountId }: SignedIn): Promise<SecondFactor> {
    const { db, isFactorRequired } = this.#deps;
    const confirmedAt = await findConfirmedAt(db, accountId);
    const recoveryCodesLeft = await countRecoveryCodes(db, accountId);
    return { confirmedAt: confirmedAt?.toISOString() ?? null, recoveryCodesLeft, required: isFactorRequired };
  }

  /** @throws AppError as `Reauthentication` does */
  beginSetup(proof: Proof, caller: Caller): Promise<SharedSecret> {
    const { reauthentication, secondFactor } = this.#deps;
    return reauthentication.runReauthenticated(proof, caller, (tx) => secondFactor.beginSetup(tx, caller.signedIn));
  }

  /**
   * @throws AppError `invalid_input` with the field `code`, `conflict` when no setup was begun,
   * `too_many_requests`, or `unauthenticated`
   */
  async confirmSetup(code: string, caller: Caller): Promise<Codes & { cookie: SessionCookie }> {
    const { db, gate, throttle, secondFactor, clock, onSessionsEnded } = this.#deps;
    const { accountId } = caller.signedIn;
    const identify = () => ({ attempt: accountAttempt(accountId, caller.address) });
    const confirmed = await gate.runLimited(caller.address, identify, async ({ attempt }) => {
      await throttle.beginAttempt(attempt);
      return await db.transaction().execute(async (tx) => {
        await lockAccountKey(tx, accountId);
        const isMove = (await findConfirmedAt(tx, accountId)) !== null;
        const now = clock();
        const recoveryCodes = await secondFactor.confirmSetup(tx, { accountId, code, now });
        if (!recoveryCodes) return null;
        const { cookie } = await replaceSessions(tx, this.#deps, { caller, now });
        await throttle.recordSuccess(tx, attempt);
        await this.#recordChange(tx, caller, isMove ? 'factor-moved' : 'factor-set-up');
        return { recoveryCodes, cookie };
      });
    });
    if (!confirmed) throw new AppError('invalid_input', WRONG_CODE, { field: 'code' });
    onSessionsEnded(accountId);
    return confirmed;
  }

  /** @throws AppError as `Reauthentication` does */
  renewRecoveryCodes(proof: Proof, caller: Caller): Promise<Codes> {
    const { reauthentication, secondFactor } = this.#deps;
    return reauthentication.runReauthenticated(proof, caller, async (tx) => {
      await requireFactor(tx, caller);
      const recoveryCodes = await secondFactor.replaceRecoveryCodes(tx, caller.signedIn.accountId);
      await this.#recordChange(tx, caller, 'recovery-codes');
      return { recoveryCodes };
    });
  }

  /**
   * @throws AppError as `Reauthentication` does, and `conflict` when a second factor is required
   */
  async turnOff(proof: Proof, caller: Caller): Promise<SessionCookie> {
    const { isFactorRequired, reauthentication, onSessionsEnded } = this.#deps;
    if (isFactorRequired)
      throw new AppError('conflict', "Your team requires two-factor sign-in, so it can't be turned off.");
    const cookie = await reauthentication.runReauthenticated(proof, caller, async (tx, now) => {
      await requireFactor(tx, caller);
      await deleteFactor(tx, caller.signedIn.accountId);
      const replaced = await replaceSessions(tx, this.#deps, { caller, now });
      await this.#recordChange(tx, caller, 'factor-removed');
      return replaced.cookie;
    });
    onSessionsEnded(caller.signedIn.accountId);
    return cookie;
  }

  async #recordChange(
    tx: Executor,
    { signedIn, address }: Caller,
    change: EventData<'own-account.changed'>['change'],
  ): Promise<void> {
    const { username } = signedIn;
    await this.#deps.events.record(tx, 'own-account.changed', { username, address, change });
  }
}

async function requireFactor(tx: Executor, { signedIn }: Caller): Promise<void> {
  if (!(await findConfirmedAt(tx, signedIn.accountId)))
    throw new AppError('conflict', "Two-factor sign-in isn't set up for this account.");
}
