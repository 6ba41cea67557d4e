export interface WebhookRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface WebhookResponse {
  status: number;
  /** The start of the body. */
  body: string;
  /** From the header `Retry-After`. */
  retryAfterSeconds: number | null;
}

/** Calls URLs that administrators entered, but never private addresses. */
export interface WebhookSender {
  /** Returns the problem of a URL as the end of a sentence, or null. */
  findProblem(url: string): Promise<string | null>;
  /**
   * Sends a POST. Never follows a redirect, and resolves with any status.
   * @throws UpstreamError if no response arrives
   */
  send(request: WebhookRequest, signal: AbortSignal): Promise<WebhookResponse>;
}
