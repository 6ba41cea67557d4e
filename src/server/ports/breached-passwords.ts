/**
 * Checks passwords against public data breaches. Every implementation passes
 * test/ports/breached-passwords.test.ts.
 */
export interface BreachedPasswords {
  /**
   * True when the password appeared in a breach. The password does not leave this process. Resolves
   * or rejects within seconds, because a user waits.
   * @throws UpstreamError
   */
  has(password: string): Promise<boolean>;
}
