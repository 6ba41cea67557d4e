import { z } from 'zod';
import { ROLES } from '#contracts/rules/roles.ts';
import type { Sealer } from '#server/secrets/sealer.ts';

export const STATE_LIFETIME_MS = 10 * 60_000;

/** A sign-in at the provider that a browser has begun. */
const Attempt = z.object({
  ...{ state: z.string(), nonce: z.string(), codeVerifier: z.string() },
  redirectUri: z.string(),
  /** The page to open afterwards. */
  to: z.string(),
  expiresAt: z.number(),
});
export type Attempt = z.infer<typeof Attempt>;

/** A person at the provider who has to prove that an account is theirs. */
const PendingIdentity = z.object({
  accountId: z.int(),
  identity: z.object({ issuer: z.string(), subject: z.string(), email: z.string().nullable() }),
  providerSession: z.string().nullable(),
  /** Null: the sign-in leaves the role as it is. */
  role: z.enum(ROLES).nullable(),
  expiresAt: z.number(),
});
export type PendingIdentity = z.infer<typeof PendingIdentity>;

/** State in a ten-minute cookie. It is encrypted, so browsers can neither read nor forge it. */
export class SealedState<State extends { expiresAt: number }> {
  readonly #schema: z.ZodType<State>;
  readonly #context: string;
  readonly #sealer: Sealer;

  constructor(sealer: Sealer, context: string, schema: z.ZodType<State>) {
    this.#sealer = sealer;
    this.#context = context;
    this.#schema = schema;
  }

  seal(state: State): string {
    return this.#sealer.seal(JSON.stringify(state), this.#context).toString('base64url');
  }

  /** Returns null for a state that has expired, is missing, or was not sealed here. */
  open(sealed: string | undefined, now: number): State | null {
    if (sealed === undefined) return null;
    const text = this.#sealer.open(Buffer.from(sealed, 'base64url'), this.#context);
    if (text === null) return null;
    const state = this.#schema.safeParse(JSON.parse(text));
    return state.success && state.data.expiresAt > now ? state.data : null;
  }
}

export const sealedAttempts = (sealer: Sealer) => new SealedState(sealer, 'single sign-on\nattempt', Attempt);

export const sealedPending = (sealer: Sealer) => new SealedState(sealer, 'single sign-on\npending', PendingIdentity);
