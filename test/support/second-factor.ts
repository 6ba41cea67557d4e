import { TOTP } from 'otpauth';
import { beginSecondFactor, confirmSecondFactor } from '#contracts/second-factor.ts';
import type { Person } from './call.ts';

/** An authenticator app: it has only the secret and the time. */
export class Authenticator {
  readonly #totp: TOTP;
  readonly #clock: () => number;

  constructor(secret: string, clock: () => number = Date.now) {
    this.#totp = new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 });
    this.#clock = clock;
  }

  /** Returns the code of now, or of `steps` times 30 seconds later. */
  code(steps = 0): string {
    return this.#totp.generate({ timestamp: this.#clock() + steps * 30_000 });
  }

  /** Returns six digits that are not a code at any time near. */
  wrongCode(): string {
    const near = [-2, -1, 0, 1, 2].map((steps) => this.code(steps));
    return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code)) ?? '';
  }
}

/** Sets up the second factor of a signed-in person. Uses up the current code. */
export async function setUpFactor(person: Person, currentPassword: string, clock?: () => number) {
  const { secret } = await person.call(beginSecondFactor, { body: { currentPassword } });
  const phone = new Authenticator(secret, clock);
  const { recoveryCodes } = await person.call(confirmSecondFactor, { body: { code: phone.code() } });
  return { phone, secret, recoveryCodes };
}
