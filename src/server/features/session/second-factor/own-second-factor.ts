import type { z } from 'zod';
import type { RecoveryCodes, SecondFactor, SharedSecret } from '#contracts/second-factor.ts';
import { AppError } from '../../../app-error.ts';
import type { Executor } from '../../../db/database.ts';
import type { SignedIn } from '../../../http/session-guard.ts';
import { keepAccount } from '../accounts.repo.ts';
import type { Caller } from '../caller.ts';
import { printableName } from '../printable-name.ts';
import { replaceSessions } from '../replace-sessions.ts';
import type { SessionCookie } from '../session-cookie.ts';
import type { SignInDependencies } from '../sign-in.ts';
import { WRONG_CODE } from './code-check.ts';
import { attemptOf, type Proof, Reauthentication } from './reauthentication.ts';
import { confirmedAt, deleteFactor } from './second-factor.repo.ts';

type Codes = z.infer<typeof RecoveryCodes>;

/**
 * People look after the second factor of their own account. Turning it on, moving it to another app and turning it off end the account's
 * other sessions, as another password does. The session the caller came with is to be ended once the new cookie has been sent.
 */
export class OwnSecondFactor {
  readonly #on: SignInDependencies;
  readonly #again: Reauthentication;

  constructor(dependencies: SignInDependencies) {
    this.#on = dependencies;
    this.#again = new Reauthentication(dependencies);
  }

  async read({ accountId }: SignedIn): Promise<SecondFactor> {
    const { db, secondFactor, required } = this.#on;
    const since = await confirmedAt(db, accountId);
    const recoveryCodesLeft = await secondFactor.recoveryCodesLeft(db, accountId);
    return { confirmedAt: since?.toISOString() ?? null, recoveryCodesLeft, required };
  }

  /** @throws AppError as `Reauthentication` does */
  begin(proof: Proof, caller: Caller): Promise<SharedSecret> {
    return this.#again.run(proof, caller, (tx) => this.#on.secondFactor.begin(tx, caller.signedIn));
  }

  /** @throws AppError `invalid_input` with the field `code`, `conflict` when none was begun, `too_many_requests`, or `unauthenticated` */
  confirm(code: string, caller: Caller): Promise<Codes & { cookie: SessionCookie }> {
    return this.#on.gate.run(caller.address, () => this.#confirm(code, caller));
  }

  /** @throws AppError as `Reauthentication` does */
  renewRecoveryCodes(proof: Proof, caller: Caller): Promise<Codes> {
    return this.#again.run(proof, caller, async (tx) => {
      await this.#demandOne(tx, caller);
      const recoveryCodes = await this.#on.secondFactor.renewRecoveryCodes(tx, caller.signedIn.accountId);
      await this.#log(tx, caller, 'made new recovery codes');
      return { recoveryCodes };
    });
  }

  /** @throws AppError as `Reauthentication` does, and `conflict` where everybody has to have one */
  async turnOff(proof: Proof, caller: Caller): Promise<SessionCookie> {
    if (this.#on.required) throw new AppError('conflict', 'Everybody has a second factor here: it can only be moved.');
    return await this.#again.run(proof, caller, async (tx, now) => {
      await this.#demandOne(tx, caller);
      await deleteFactor(tx, caller.signedIn.accountId);
      const { cookie } = await this.#replaceSessions(tx, caller, now);
      await this.#log(tx, caller, 'turned the second factor off');
      return cookie;
    });
  }

  async #confirm(code: string, caller: Caller): Promise<Codes & { cookie: SessionCookie }> {
    const { db, throttle, secondFactor, clock } = this.#on;
    const { accountId } = caller.signedIn;
    await throttle.begin(attemptOf(caller));
    const confirmed = await db.transaction().execute(async (tx) => {
      await keepAccount(tx, accountId);
      const moved = await confirmedAt(tx, accountId);
      const now = clock();
      const recoveryCodes = await secondFactor.confirm(tx, { accountId, code, now });
      if (!recoveryCodes) return null;
      const { cookie } = await this.#replaceSessions(tx, caller, now);
      await throttle.succeed(tx, attemptOf(caller));
      await this.#log(tx, caller, moved ? 'moved the second factor to another app' : 'set up a second factor');
      return { recoveryCodes, cookie };
    });
    if (confirmed) return confirmed;
    throw new AppError('invalid_input', WRONG_CODE, { field: 'code' });
  }

  #replaceSessions(tx: Executor, { signedIn, token }: Caller, now: number) {
    return replaceSessions(tx, this.#on.hash, { accountId: signedIn.accountId, token, now });
  }

  async #demandOne(tx: Executor, { signedIn }: Caller): Promise<void> {
    if (!(await confirmedAt(tx, signedIn.accountId)))
      throw new AppError('conflict', 'This account has no second factor.');
  }

  async #log(tx: Executor, { signedIn, address }: Caller, what: string): Promise<void> {
    const username = printableName(signedIn.username);
    await this.#on.logs.write(tx, {
      type: 'auth',
      action: 'second-factor',
      status: 'success',
      summary: `${username} ${what}.`,
      metadata: { username, address },
    });
  }
}
