export interface MailMessage {
  /**
   * In angle brackets. A retried mail has the same id, so that mailboxes drop the second copy
   * (RFC 5322, section 3.6.4).
   */
  messageId: string;
  /** One e-mail address. */
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Sends mails through the server of this installation. */
export interface Mailer {
  /**
   * Resolves when the server has accepted the mail. It may have accepted it even if this rejects.
   * @throws UpstreamError
   */
  send(message: MailMessage, signal: AbortSignal): Promise<void>;
  /** Connects and signs in without sending a mail. @throws UpstreamError */
  check(): Promise<void>;
}
