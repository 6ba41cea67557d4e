import type { SignedIn } from '#server/http/guards/session-guard.ts';

/** A signed-in user, with the session and the address that their request came from. */
export interface Caller {
  signedIn: SignedIn;
  token: string;
  /** The client's address, or its network. See `clientAddress`. */
  address: string;
  /** See `describeDevice`. */
  device: string;
}
