import type { SharedSecret } from '#contracts/second-factor.ts';
import { AppError } from '../../../app-error.ts';
import type { Executor } from '../../../db/database.ts';
import type { Sealer } from '../../../secrets/sealer.ts';
import { hashOfRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';
import { openSecret, sealSecret } from './sealed-secret.ts';
import {
  confirmPending,
  countRecoveryCodes,
  deleteRecoveryCode,
  deleteRecoveryCodes,
  holdFactor,
  insertRecoveryCodes,
  saveLastStep,
  savePending,
} from './second-factor.repo.ts';
import { addressOf, newSecret, stepOf } from './totp.ts';

/** `off`: the account has none. `missing`: it has one, and no code came. `wrong`: the code is not right, or was taken before. */
export type CodeVerdict = 'off' | 'missing' | 'wrong' | 'app' | 'recovery code';

interface Given {
  accountId: number;
  /** As typed. */
  code: string | undefined;
  /** Milliseconds since 1970. */
  now: number;
}

/** The codes of an account's authenticator app and its recovery codes. All of it in the caller's transaction. */
export class SecondFactor {
  readonly #sealer: Sealer;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  /**
   * Judges a code and takes it: the same one is wrong from then on.
   * @throws AppError `conflict` when no encryption key opens the secret of the app
   */
  async take(tx: Executor, { accountId, code, now }: Given): Promise<CodeVerdict> {
    const factor = await holdFactor(tx, accountId);
    if (!factor?.secret_sealed) return 'off';
    if (code === undefined) return 'missing';
    if (!isOfApp(code)) return (await takeRecoveryCode(tx, accountId, code)) ? 'recovery code' : 'wrong';
    const step = await stepOf(digitsOf(code), this.#open(factor.secret_sealed, accountId), now);
    if (step === null || step <= (factor.last_step ?? 0)) return 'wrong';
    await saveLastStep(tx, accountId, step);
    return 'app';
  }

  /**
   * Makes the secret of another app. What the account has stays as it is until `confirm`. Hold the rotation off (`holdRotation`) before
   * anything is locked: it waits for whoever seals, and locks these rows.
   */
  async begin(tx: Executor, { accountId, username }: { accountId: number; username: string }): Promise<SharedSecret> {
    const secret = await newSecret();
    await savePending(tx, accountId, sealSecret(this.#sealer, secret, accountId));
    return { secret, address: await addressOf(secret, username) };
  }

  /**
   * Takes the app that was begun last, when this is its code. Resolves with new recovery codes, or null when the code is wrong.
   * @throws AppError `conflict` when none was begun
   */
  async confirm(tx: Executor, { accountId, code = '', now }: Given): Promise<string[] | null> {
    const factor = await holdFactor(tx, accountId);
    if (!factor?.pending_sealed) throw new AppError('conflict', 'This set-up is over. Please begin again.');
    const step = await stepOf(digitsOf(code), this.#open(factor.pending_sealed, accountId), now);
    if (step === null) return null;
    await confirmPending(tx, { accountId, step, now });
    return await this.renewRecoveryCodes(tx, accountId);
  }

  /** Those there were open nothing any more. */
  async renewRecoveryCodes(tx: Executor, accountId: number): Promise<string[]> {
    const codes = newRecoveryCodes();
    await deleteRecoveryCodes(tx, accountId);
    await insertRecoveryCodes(
      tx,
      accountId,
      codes.flatMap((code) => hashOfRecoveryCode(code) ?? []),
    );
    return codes;
  }

  recoveryCodesLeft(db: Executor, accountId: number): Promise<number> {
    return countRecoveryCodes(db, accountId);
  }

  #open(sealed: Buffer, accountId: number): string {
    const secret = openSecret(this.#sealer, sealed, accountId);
    if (secret !== null) return secret;
    throw new AppError(
      'conflict',
      'Your authenticator app cannot be checked with the current ENCRYPTION_KEY. Use a recovery code, or ask an administrator.',
    );
  }
}

/** Apps show them in groups. */
const digitsOf = (code: string) => code.replace(/[\s-]/g, '');
const isOfApp = (code: string) => /^\d{1,8}$/.test(digitsOf(code));

async function takeRecoveryCode(tx: Executor, accountId: number, code: string): Promise<boolean> {
  const hash = hashOfRecoveryCode(code);
  return hash !== null && (await deleteRecoveryCode(tx, accountId, hash));
}
