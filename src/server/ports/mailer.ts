export interface MailMessage {
  /**
   * In angle brackets. A mail that is sent again has the same one, so that mailboxes drop the
   * second copy (RFC 5322, section 3.6.4).
   */
  messageId: string;
  /** One e-mail address. */
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Hands mails to the server of this installation. */
export interface Mailer {
  /**
   * Resolves when the server has accepted the mail. After an error, the server may have accepted it
   * nevertheless.
   * @throws UpstreamError
   */
  send(message: MailMessage, signal: AbortSignal): Promise<void>;
  /** Connects and signs in, without a mail. @throws UpstreamError */
  check(): Promise<void>;
}
