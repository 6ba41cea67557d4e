/** `reconnect`: the ATS rejected the sign-in, and an administrator must renew it. */
export type AtsState = 'connected' | 'reconnect' | 'not_configured';

export interface AtsConnection {
  state: AtsState;
  /** The tokens of the sign-in. Null if none are stored or no key decrypts them. */
  signIn: string | null;
}

/** The connection state, shared by all processes. */
export interface AtsConnectionStore {
  read(): Promise<AtsConnection>;
  /**
   * Calls `change` with the newest state, in one process at a time, and stores the result in the
   * same transaction. A result of null changes nothing.
   */
  change(change: (current: AtsConnection) => Promise<AtsConnection | null>): Promise<AtsConnection>;
  /**
   * Reserves the next call. Calls of all processes are `intervalMs` apart. Resolves with the
   * milliseconds until it may start.
   */
  reserveCall(intervalMs: number): Promise<number>;
}
