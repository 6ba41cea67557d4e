/** Loaded with the first password: a start needs none of this native code. */
const argon2 = () => import('@node-rs/argon2');

/** The least that OWASP's Password Storage Cheat Sheet asks of argon2id: 19 MiB, two passes, one lane. 10 to 25 ms. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Nobody's password, under the same parameters: verifying against it takes as long as against a real one. */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$4FnCx+3dTWnfmoThfoTsww$kTzU5K1mW0d3pVJzq8bC2n7yRf0uLhXeA9sGvTjBoMw';

/** One password typed on two systems may arrive as different code points (NIST SP 800-63B, 3.1.1.2: normalise first). */
const sameEverywhere = (password: string) => password.normalize('NFKC');

export const hashPassword = async (password: string): Promise<string> =>
  (await argon2()).hash(sameEverywhere(password), PARAMETERS);

/** Takes the same time when there is no account, so that the time of an answer does not tell which names exist. */
export const verifyPassword = async (passwordHash: string | undefined, password: string): Promise<boolean> =>
  (await argon2()).verify(passwordHash ?? NOBODYS_HASH, sameEverywhere(password));
