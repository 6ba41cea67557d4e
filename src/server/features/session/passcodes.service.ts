import { hashPassword, verifyPassword } from './accounts/passwords.ts';

/** Passcodes of links are hashed like passwords. */
export const hashPasscode = (passcode: string): Promise<string> => hashPassword(passcode);

export const verifyPasscode = (hash: string, passcode: string): Promise<boolean> => verifyPassword(hash, passcode);
