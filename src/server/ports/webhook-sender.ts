export interface WebhookRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface WebhookAnswer {
  status: number;
  /** The beginning. */
  body: string;
  /** What the receiver asks to wait. */
  retryAfterSeconds: number | null;
}

/** Calls addresses that administrators chose, never private ones. */
export interface WebhookSender {
  /** Returns what is wrong with an address, as the end of a sentence about it, or null. */
  findProblem(url: string): Promise<string | null>;
  /**
   * Sends a POST. Never follows a redirect, and resolves with any status.
   * @throws UpstreamError when there is no answer
   */
  send(request: WebhookRequest, signal: AbortSignal): Promise<WebhookAnswer>;
}
