/** Knows passwords that have become public. Every implementation passes test/ports/breached-passwords.test.ts. */
export interface BreachedPasswords {
  /**
   * Whether this very password is among them. The password is told to nobody, and the answer comes soon or not at all.
   * @throws UpstreamError
   */
  has(password: string): Promise<boolean>;
}
