import type { HandlerInput } from '#contracts/endpoint.ts';
import type { confirmRequiredFactor, SecondFactor, SharedSecret } from '#contracts/second-factor.ts';
import type { SignedIn } from '../../../http/session-guard.ts';
import type { Caller } from '../caller.ts';
import type { NameAndPassword } from '../password-check.ts';
import type { SessionCookie } from '../session-cookie.ts';
import type { SignInDependencies, SignInFrom } from '../sign-in.ts';
import { OwnSecondFactor } from './own-second-factor.ts';
import type { Proof } from './reauthentication.ts';
import { type OpenedByFactor, RequiredFactor } from './required-factor.ts';

interface Dependencies extends SignInDependencies {
  /** Called when the account's sessions have ended: our own announcement takes a moment to come back. */
  forgetSessions: (accountId: number) => void;
}

/** Second factors, from their set-up to their end. What each call throws stands with `OwnSecondFactor` and `RequiredFactor`. */
export class SecondFactors {
  readonly #forget: Dependencies['forgetSessions'];
  readonly #own: OwnSecondFactor;
  readonly #required: RequiredFactor;

  constructor(dependencies: Dependencies) {
    this.#forget = dependencies.forgetSessions;
    this.#own = new OwnSecondFactor(dependencies);
    this.#required = new RequiredFactor(dependencies);
  }

  read(signedIn: SignedIn): Promise<SecondFactor> {
    return this.#own.read(signedIn);
  }

  begin(proof: Proof, caller: Caller): Promise<SharedSecret> {
    return this.#own.begin(proof, caller);
  }

  /** End the session that the caller came with once the new cookie has been sent. */
  async confirm(code: string, caller: Caller): Promise<{ recoveryCodes: string[]; cookie: SessionCookie }> {
    const confirmed = await this.#own.confirm(code, caller);
    this.#forget(caller.signedIn.accountId);
    return confirmed;
  }

  renewRecoveryCodes(proof: Proof, caller: Caller): Promise<{ recoveryCodes: string[] }> {
    return this.#own.renewRecoveryCodes(proof, caller);
  }

  /** End the session that the caller came with once the new cookie has been sent. */
  async turnOff(proof: Proof, caller: Caller): Promise<SessionCookie> {
    const cookie = await this.#own.turnOff(proof, caller);
    this.#forget(caller.signedIn.accountId);
    return cookie;
  }

  /** Before the first session of somebody who has to have a second factor. */
  beginRequired(given: NameAndPassword, address: string): Promise<SharedSecret> {
    return this.#required.begin(given, address);
  }

  async confirmRequired(
    given: HandlerInput<typeof confirmRequiredFactor>['body'],
    from: SignInFrom,
  ): Promise<OpenedByFactor> {
    const opened = await this.#required.confirm(given, from);
    this.#forget(opened.user.id);
    return opened;
  }
}
