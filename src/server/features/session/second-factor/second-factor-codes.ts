import type { SharedSecret } from '#contracts/second-factor.ts';
import { AppError } from '#server/app-error.ts';
import type { Executor } from '#server/db/database.ts';
import type { Sealer } from '#server/secrets/sealer.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';
import { openSecret, sealSecret } from './sealed-secrets.ts';
import * as repo from './second-factor.repo.ts';
import { findStep, newSecret, otpauthUri } from './totp.ts';

/**
 * `off`: the account has no second factor. `missing`: it has one, but no code was given. `wrong`:
 * the code is wrong or was already used. The others name what the valid code came from.
 */
export type CodeVerdict = 'off' | 'missing' | 'wrong' | 'app' | 'recovery-code';

interface CodeInput {
  accountId: number;
  /** The user's input: digits of the app or a recovery code, in any spelling. */
  code: string | undefined;
  /** Milliseconds since 1970. */
  now: number;
}

/** Authenticator codes and recovery codes. Methods run in the caller's transaction. */
export class SecondFactorCodes {
  readonly #sealer: Sealer;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  /**
   * Checks a code and uses it up: the same code is wrong afterwards.
   * @throws AppError `conflict` when no encryption key opens the secret of the app
   */
  async redeemCode(tx: Executor, { accountId, code, now }: CodeInput): Promise<CodeVerdict> {
    const factor = await repo.lockFactor(tx, accountId);
    if (!factor?.secret_sealed) return 'off';
    if (code === undefined) return 'missing';
    if (!isAppCode(code)) return (await redeemRecoveryCode(tx, accountId, code)) ? 'recovery-code' : 'wrong';
    const step = await findStep(digitsOf(code), this.#open(factor.secret_sealed, accountId), now);
    if (step === null || step <= (factor.last_step ?? 0)) return 'wrong';
    await repo.updateFactor(tx, accountId, { last_step: step });
    return 'app';
  }

  /**
   * Creates the secret of a new app. A confirmed app stays valid until `confirmSetup`. The caller
   * must hold `lockKeyRotation` before it locks anything else: key rotation locks these rows after
   * it.
   */
  async beginSetup(
    tx: Executor,
    { accountId, username }: { accountId: number; username: string },
  ): Promise<SharedSecret> {
    const secret = await newSecret();
    await repo.upsertPendingSecret(tx, accountId, sealSecret(this.#sealer, secret, accountId));
    return { secret, address: await otpauthUri(secret, username) };
  }

  /**
   * Confirms the app of the last `beginSetup` with its first code. Returns new recovery codes, or
   * null when the code is wrong.
   * @throws AppError `conflict` when no setup was begun
   */
  async confirmSetup(tx: Executor, { accountId, code = '', now }: CodeInput): Promise<string[] | null> {
    const factor = await repo.lockFactor(tx, accountId);
    if (!factor?.pending_sealed) throw new AppError('conflict', 'Setup expired. Start again.');
    const step = await findStep(digitsOf(code), this.#open(factor.pending_sealed, accountId), now);
    if (step === null) return null;
    await repo.updateToPendingSecret(tx, { accountId, step, now });
    return await this.replaceRecoveryCodes(tx, accountId);
  }

  /** Returns new recovery codes. The old ones become invalid. */
  async replaceRecoveryCodes(tx: Executor, accountId: number): Promise<string[]> {
    const codes = newRecoveryCodes();
    await repo.deleteRecoveryCodes(tx, accountId);
    await repo.insertRecoveryCodes(
      tx,
      accountId,
      codes.flatMap((code) => hashRecoveryCode(code) ?? []),
    );
    return codes;
  }

  #open(sealed: Buffer, accountId: number): string {
    const secret = openSecret(this.#sealer, sealed, accountId);
    if (secret !== null) return secret;
    throw new AppError(
      'conflict',
      "Authenticator codes can't be checked because ENCRYPTION_KEY has changed. Use a recovery code or ask an admin.",
    );
  }
}

/** Apps show codes in groups of digits. */
const digitsOf = (code: string) => code.replace(/[\s-]/g, '');
const isAppCode = (code: string) => /^\d{1,8}$/.test(digitsOf(code));

async function redeemRecoveryCode(tx: Executor, accountId: number, code: string): Promise<boolean> {
  const hash = hashRecoveryCode(code);
  return hash !== null && (await repo.deleteRecoveryCode(tx, accountId, hash));
}
