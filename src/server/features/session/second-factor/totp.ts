/** Loaded with the first code: most starts need none of it. */
const otpauth = () => import('otpauth');

const ISSUER = 'Video Interview Management';
/** What every authenticator app does when nothing else is asked for (RFC 6238): SHA-1, six digits, 30 seconds. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** 160 bits, as RFC 4226, section 4, recommends. */
const SECRET_BYTES = 20;
/** For clocks that differ, and for a code that is typed while the next one appears (RFC 6238, section 5.2: at most one). */
const DRIFT_STEPS = 1;

/** Base32. */
export async function newSecret(): Promise<string> {
  const { Secret } = await otpauth();
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** What a QR code tells the app. */
export async function addressOf(secret: string, username: string): Promise<string> {
  const { TOTP } = await otpauth();
  return new TOTP({ ...PARAMETERS, issuer: ISSUER, label: username, secret }).toString();
}

/** The 30 seconds, counted from 1970, whose code this is; null when it is of none that counts at `now`. */
export async function stepOf(code: string, secret: string, now: number): Promise<number | null> {
  // The package compares bytes, and throws where as many letters have more of them.
  if (!/^\d+$/.test(code)) return null;
  const { TOTP } = await otpauth();
  const totp = new TOTP({ ...PARAMETERS, secret });
  const delta = totp.validate({ token: code, timestamp: now, window: DRIFT_STEPS });
  return delta === null ? null : totp.counter({ timestamp: now }) + delta;
}
