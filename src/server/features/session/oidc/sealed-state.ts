import { z } from 'zod';
import { ROLES } from '#contracts/rules/roles.ts';
import type { Sealer } from '#server/secrets/sealer.ts';

export const STATE_LIFETIME_MS = 10 * 60_000;

/** A kind of state, and the context that its values are sealed for. */
interface StateKind<State> {
  context: string;
  schema: z.ZodType<State>;
}

/** A sign-in at the provider that a browser has begun. */
export const ATTEMPT = {
  context: 'single sign-on\nattempt',
  schema: z.object({
    state: z.string(),
    nonce: z.string(),
    codeVerifier: z.string(),
    redirectUri: z.string(),
    /** The page to open afterwards. */
    to: z.string(),
  }),
};
export type Attempt = z.infer<typeof ATTEMPT.schema>;

/** A person at the provider who has to prove that an account is theirs. */
export const PENDING_IDENTITY = {
  context: 'single sign-on\npending',
  schema: z.object({
    accountId: z.int(),
    identity: z.object({ issuer: z.string(), subject: z.string(), email: z.string().nullable() }),
    providerSession: z.string().nullable(),
    /** Null: the sign-in leaves the role as it is. */
    role: z.enum(ROLES).nullable(),
  }),
};
export type PendingIdentity = z.infer<typeof PENDING_IDENTITY.schema>;

interface SealedStateDeps {
  sealer: Sealer;
  clock: () => number;
}

/** Seals state for a ten-minute cookie. Encrypted, so browsers can neither read nor forge it. */
export function sealState<State>(
  { sealer, clock }: SealedStateDeps,
  { context }: StateKind<State>,
  state: State,
): string {
  const content = JSON.stringify({ ...state, expiresAt: clock() + STATE_LIFETIME_MS });
  return sealer.seal(content, context).toString('base64url');
}

/** Returns null for a state that has expired, is missing, or was not sealed here. */
export function openState<State>(
  { sealer, clock }: SealedStateDeps,
  { context, schema }: StateKind<State>,
  sealed: string | undefined,
): State | null {
  const text = sealed === undefined ? null : sealer.open(Buffer.from(sealed, 'base64url'), context);
  if (text === null) return null;
  const content = JSON.parse(text);
  const state = schema.safeParse(content);
  return state.success && content.expiresAt > clock() ? state.data : null;
}
