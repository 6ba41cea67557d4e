/** A mail as its recipients see it. */
export interface SandboxMail {
  messageId: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  receivedAt: string;
  /** How often the server accepted it. A mailbox shows it once. */
  deliveries: number;
}

/** All mails that the sandbox has accepted. A mail with a known `Message-ID` is the same mail. */
export class Mailbox {
  readonly #mails = new Map<string, SandboxMail>();

  /** Newest last. */
  list(): SandboxMail[] {
    return [...this.#mails.values()];
  }

  deliver(mail: Omit<SandboxMail, 'deliveries' | 'receivedAt'>): void {
    const known = this.#mails.get(mail.messageId);
    if (known) known.deliveries += 1;
    else this.#mails.set(mail.messageId, { ...mail, receivedAt: new Date().toISOString(), deliveries: 1 });
  }

  clear(): void {
    this.#mails.clear();
  }
}
