/** `reconnect`: the ATS rejected the sign-in, and a person must renew it. */
export type AtsState = 'connected' | 'reconnect' | 'not_configured';

export interface AtsConnection {
  state: AtsState;
  /** The tokens of the sign-in. Null while there are none, or when no key decrypts them. */
  signIn: string | null;
}

/** The state of the connection, which all processes share. */
export interface AtsConnectionStore {
  read(): Promise<AtsConnection>;
  /**
   * Calls `change` with the newest state, one process at a time, and stores what it returns in the
   * same transaction. Null changes nothing.
   */
  change(change: (current: AtsConnection) => Promise<AtsConnection | null>): Promise<AtsConnection>;
}
