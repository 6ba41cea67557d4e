import type { VideoAskAnswer, VideoAskContact } from './initial-videoask.ts';

/** The contacts of the form, their answers, and the access tokens. */
export class VideoAskStore {
  readonly #initial: { contacts: VideoAskContact[]; answers: VideoAskAnswer[] };
  contacts: VideoAskContact[] = [];
  answers: VideoAskAnswer[] = [];
  #tokens = new Set<string>();
  #issued = 0;

  constructor(initial: { contacts: VideoAskContact[]; answers: VideoAskAnswer[] }) {
    this.#initial = initial;
    this.reset();
  }

  reset(): void {
    this.contacts = [...this.#initial.contacts];
    this.answers = [...this.#initial.answers];
    this.expireTokens();
  }

  /** Adds them before the others; an existing contact is replaced. */
  add(contact: VideoAskContact, ...answers: VideoAskAnswer[]): void {
    this.remove(contact.contact_id);
    this.contacts.unshift(contact);
    this.answers.unshift(...answers);
  }

  remove(id: string): void {
    this.contacts = this.contacts.filter(({ contact_id }) => contact_id !== id);
    this.answers = this.answers.filter(({ contact_id }) => contact_id !== id);
  }

  issueToken(): string {
    this.#issued += 1;
    const token = `sandbox-token-${this.#issued}`;
    this.#tokens.add(token);
    return token;
  }

  isCurrent(token: string): boolean {
    return this.#tokens.has(token);
  }

  expireTokens(): void {
    this.#tokens.clear();
  }
}
