/** Loaded when it is first needed. */
const otpauth = () => import('otpauth');

const ISSUER = 'Video Interview Management';
/** The defaults of all authenticator apps (RFC 6238): SHA-1, six digits, 30 seconds. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** 160 bits, as recommended by RFC 4226, section 4. */
const SECRET_BYTES = 20;
/** For clock drift and slow typing. RFC 6238, section 5.2 allows at most one step. */
const DRIFT_STEPS = 1;

/** Returns the secret in base32. */
export async function newSecret(): Promise<string> {
  const { Secret } = await otpauth();
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** Returns the `otpauth:` URI for a QR code. */
export async function otpauthUri(secret: string, username: string): Promise<string> {
  const { TOTP } = await otpauth();
  return new TOTP({ ...PARAMETERS, issuer: ISSUER, label: username, secret }).toString();
}

/**
 * Returns the time step of a code, in periods of 30 seconds since 1970, or null when the code is
 * not valid at `now`.
 */
export async function findStep(code: string, secret: string, now: number): Promise<number | null> {
  // otpauth throws for non-ASCII characters, because it compares buffers of unequal length.
  if (!/^\d+$/.test(code)) return null;
  const { TOTP } = await otpauth();
  const totp = new TOTP({ ...PARAMETERS, secret });
  const delta = totp.validate({ token: code, timestamp: now, window: DRIFT_STEPS });
  return delta === null ? null : totp.counter({ timestamp: now }) + delta;
}
