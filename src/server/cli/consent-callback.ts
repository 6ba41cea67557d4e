import { CommandError } from './command.ts';

interface Consent<Granted> {
  /** The service returns it with the response. */
  state: string;
  exchangeCode(code: string): Promise<Granted>;
  /** The name of the connected service, for the page in the browser. */
  nameOf(granted: Granted): string;
}

/** Accepts the first callback with the state of our own request and exchanges its code. */
export class ConsentCallback<Granted> {
  readonly #consent: Consent<Granted>;
  readonly #settled = Promise.withResolvers<Granted>();
  #isReceived = false;

  constructor(consent: Consent<Granted>) {
    this.#consent = consent;
    // `granted` is awaited later; until then a rejection is not unhandled.
    this.granted.catch(() => {});
  }

  get granted(): Promise<Granted> {
    return this.#settled.promise;
  }

  /** Returns the text for the browser, or null when the callback is not for this request. */
  async receive(parameters: URLSearchParams): Promise<string | null> {
    if (this.#isReceived || parameters.get('state') !== this.#consent.state) return null;
    this.#isReceived = true;
    try {
      const code = parameters.get('code');
      if (!code) throw new CommandError('Permission was not granted. Nothing was changed.');
      const granted = await this.#consent.exchangeCode(code);
      this.#settled.resolve(granted);
      return `Connected with ${this.#consent.nameOf(granted)}. Return to the terminal; you can close this window.`;
    } catch (error) {
      this.#settled.reject(error);
      return "That didn't work. See the terminal for details; you can close this window.";
    }
  }
}
