import type { BreachedPasswords } from '../../ports/breached-passwords.ts';

/** Whether a new password is known to have become public somewhere. */
export type IsBreached = (password: string) => Promise<boolean>;

/**
 * Asks the service, where there is one. It never keeps anybody from changing a password: `warn` hears that it did not answer, and the
 * password counts as unknown.
 */
export function breachCheck(service: BreachedPasswords | null, warn: (error: unknown) => void): IsBreached {
  return async (password) => {
    if (!service) return false;
    try {
      return await service.has(password);
    } catch (error) {
      warn(error);
      return false;
    }
  };
}
