import type { SignedIn } from '../../http/session-guard.ts';

/** The caller's own session. */
export interface Caller {
  signedIn: SignedIn;
  token: string;
  address: string;
}
