/** Loaded at the first password, because a start does not need this native module. */
const argon2 = () => import('@node-rs/argon2');

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. Takes 10 to 25 ms. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * The hash of no password, with the same parameters: verifying against it takes as long as
 * against a real one.
 */
export const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$4FnCx+3dTWnfmoThfoTsww$kTzU5K1mW0d3pVJzq8bC2n7yRf0uLhXeA9sGvTjBoMw';

/** Systems encode the same letters as different code points (NIST SP 800-63B, 3.1.1.2). */
const normalize = (password: string) => password.normalize('NFKC');

export const hashPassword = async (password: string): Promise<string> =>
  (await argon2()).hash(normalize(password), PARAMETERS);

/**
 * Takes equally long without an account, so that response times do not reveal which names exist.
 */
export const verifyPassword = async (passwordHash: string | undefined, password: string): Promise<boolean> =>
  (await argon2()).verify(passwordHash ?? DUMMY_HASH, normalize(password));
