import { TOTP } from 'otpauth';
import { beginSecondFactor, confirmSecondFactor } from '#contracts/second-factor.ts';
import type { Person } from './call.ts';

/** Somebody's phone with an authenticator app in it, as the apps are: it knows nothing but the secret and the time. */
export class Authenticator {
  readonly #totp: TOTP;
  readonly #clock: () => number;

  constructor(secret: string, clock: () => number = Date.now) {
    this.#totp = new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 });
    this.#clock = clock;
  }

  /** What it shows now, or `steps` times 30 seconds later. */
  code(steps = 0): string {
    return this.#totp.generate({ timestamp: this.#clock() + steps * 30_000 });
  }

  /** Six digits that it shows at no time near. */
  wrongCode(): string {
    const near = [-2, -1, 0, 1, 2].map((steps) => this.code(steps));
    return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code)) ?? '';
  }
}

/** Sets up the second factor of somebody signed in. The code shown now is used up by it. */
export async function setUpFactor(person: Person, currentPassword: string, clock?: () => number) {
  const { secret } = await person.call(beginSecondFactor, { body: { currentPassword } });
  const phone = new Authenticator(secret, clock);
  const { recoveryCodes } = await person.call(confirmSecondFactor, { body: { code: phone.code() } });
  return { phone, secret, recoveryCodes };
}
