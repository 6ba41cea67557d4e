import type { HandlerInput } from '#contracts/endpoint.ts';
import type { confirmRequiredFactor, SharedSecret } from '#contracts/second-factor.ts';
import { AppError } from '../../../app-error.ts';
import type { Executor } from '../../../db/database.ts';
import { holdRotation } from '../../../secrets/hold-rotation.ts';
import { holdAccount } from '../accounts.repo.ts';
import { openSession } from '../open-session.ts';
import type { NameAndPassword, Proven } from '../password-check.ts';
import { printableName } from '../printable-name.ts';
import { deleteSessionsOfAccount } from '../session.repo.ts';
import { announceAccountChange } from '../session-ended.ts';
import { endOldSession, type OpenedSession, type SignInDependencies, type SignInFrom } from '../sign-in.ts';
import { CodeCheck } from './code-check.ts';
import { confirmedAt } from './second-factor.repo.ts';

type Confirmation = HandlerInput<typeof confirmRequiredFactor>['body'];

export interface OpenedByFactor extends OpenedSession {
  recoveryCodes: string[];
}

/** Where everybody has to have a second factor: who has none sets it up with the password, and no session is opened before its first code. */
export class RequiredFactor {
  readonly #on: SignInDependencies;
  readonly #codes: CodeCheck;

  constructor(dependencies: SignInDependencies) {
    this.#on = dependencies;
    this.#codes = new CodeCheck(dependencies);
  }

  /** @throws AppError `wrong_credentials`, `too_many_requests`, or `conflict` when there is nothing to set up */
  begin(given: NameAndPassword, address: string): Promise<SharedSecret> {
    const { gate, db, passwords, throttle, secondFactor } = this.#on;
    return gate.run(address, async () => {
      const proven = await passwords.demand(given, address);
      const { account, attempt, waitMs } = proven;
      const begun = await db.transaction().execute(async (tx) => {
        await holdRotation(tx);
        if (!(await this.#mayGoOn(tx, proven))) return null;
        await throttle.withdraw(tx, attempt);
        return await secondFactor.begin(tx, { accountId: account.id, username: account.username });
      });
      return begun ?? (await passwords.refuse(given.username, { address, waitMs }));
    });
  }

  /** @throws AppError as `begin` does, and `wrong_code` */
  confirm(given: Confirmation, from: SignInFrom): Promise<OpenedByFactor> {
    const { gate, db, passwords } = this.#on;
    return gate.run(from.address, async () => {
      const proven = await passwords.demand(given, from.address);
      const { account, waitMs } = proven;
      const opened = await db.transaction().execute((tx) => this.#open(tx, proven, { ...given, ...from }));
      if (opened === 'changed meanwhile')
        return await passwords.refuse(given.username, { address: from.address, waitMs });
      if (opened === 'code wrong') return await this.#codes.refuse(proven);
      return { user: { id: account.id, username: account.username }, ...opened };
    });
  }

  async #open(tx: Executor, proven: Proven, { code, oldToken, rememberMe }: Confirmation & SignInFrom) {
    const { secondFactor, hash, clock, throttle, logs } = this.#on;
    const { account, attempt } = proven;
    const now = clock();
    if (!(await this.#mayGoOn(tx, proven))) return 'changed meanwhile';
    const recoveryCodes = await secondFactor.confirm(tx, { accountId: account.id, code, now });
    if (!recoveryCodes) return 'code wrong';
    await endOldSession(tx, oldToken && hash(oldToken), now);
    await deleteSessionsOfAccount(tx, account.id);
    await announceAccountChange(tx, account.id);
    const cookie = await openSession(tx, hash, { accountId: account.id, remembered: rememberMe, now });
    await throttle.succeed(tx, attempt);
    const username = printableName(account.username);
    await logs.write(tx, {
      type: 'auth',
      action: 'second-factor',
      status: 'success',
      summary: `${username} set up a second factor and signed in.`,
      metadata: { username, address: attempt.address, remembered: rememberMe },
    });
    return { cookie, recoveryCodes };
  }

  /** False when the password was changed meanwhile. @throws AppError `conflict` when there is nothing to set up */
  async #mayGoOn(tx: Executor, { account }: Proven): Promise<boolean> {
    if (!(await holdAccount(tx, account.id, account.password_hash))) return false;
    if (this.#on.required && !(await confirmedAt(tx, account.id))) return true;
    throw new AppError('conflict', 'There is no second factor to set up. Please sign in.');
  }
}
