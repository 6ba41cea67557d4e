import { AppError } from '../../app-error.ts';
import type { Sealer } from '../../secrets/sealer.ts';

/** API keys at rest. The funnel's external id is their context, so a stored key opens only its own funnel. */
export class ApiKeyVault {
  readonly #sealer: Sealer;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  seal(apiKey: string, externalId: string): Buffer {
    return this.#sealer.seal(apiKey, externalId);
  }

  /** @throws AppError when the key was sealed with another ENCRYPTION_KEY. */
  open(sealed: Buffer, externalId: string): string {
    const apiKey = this.#sealer.open(sealed, externalId);
    if (apiKey !== null) return apiKey;
    throw new AppError(
      'conflict',
      'The API key of this funnel cannot be read with the current ENCRYPTION_KEY. Enter it again.',
    );
  }

  /** For lists: a key that cannot be read is shown empty, to be entered again, and does not take the whole list down. */
  openOrEmpty(sealed: Buffer, externalId: string): string {
    return this.#sealer.open(sealed, externalId) ?? '';
  }
}
