import { type Dispatcher, request } from 'undici';
import { cleanText } from '#server/adapters/outside-http/clean-text.ts';
import { guardedAgent, PrivateAddress } from '#server/adapters/outside-http/guarded-agent.ts';
import type { OutgoingProxy } from '#server/adapters/outside-http/outgoing-proxy.ts';
import { findReason } from '#server/adapters/outside-http/outside-call.ts';
import type { AllowedHosts } from '#server/adapters/outside-http/private-addresses.ts';
import { causesOf, findErrorCode } from '#server/ports/tls-problem.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import type { WebhookResponse, WebhookSender } from '#server/ports/webhook-sender.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** For the whole call. Standard Webhooks recommends 15 to 30 s. */
const TIMEOUT_MS = 15_000;
const MAX_READ_BYTES = 16 * 1024;
const MAX_KEPT_CHARACTERS = 2_000;

interface SenderOptions {
  allowed: AllowedHosts;
  proxy: OutgoingProxy | undefined;
  timeoutMs?: number | undefined;
}

/** Connects only to the address that `guarded-agent.ts` has checked. */
export function httpWebhookSender({
  allowed,
  proxy,
  timeoutMs = TIMEOUT_MS,
}: SenderOptions): Pick<WebhookSender, 'send'> {
  const dispatcher = guardedAgent(allowed, {
    agent: { pipelining: 1 },
    connectTimeoutMs: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
    proxy,
  });
  return {
    async send({ url, headers, body }, signal) {
      const limit = AbortSignal.timeout(timeoutMs);
      const ended = AbortSignal.any([signal, limit]);
      try {
        const response = await request(url, { method: 'POST', headers, body, dispatcher, signal: ended });
        return await readResponse(response);
      } catch (error) {
        if (signal.aborted) throw error;
        throw new UpstreamError('webhook', 'unavailable', explain(error, limit.aborted, timeoutMs), { cause: error });
      }
    },
  };
}

/** A truncated response counts as none, because the receiver may not have stored the event. */
async function readResponse({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<WebhookResponse> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    chunks.push(chunk.subarray(0, MAX_READ_BYTES - size));
    size += chunk.length;
    // Breaking out of the loop closes the connection.
    if (size >= MAX_READ_BYTES) break;
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks));
  const seconds = Number(headers['retry-after']);
  return {
    status: statusCode,
    body: cleanText(text, MAX_KEPT_CHARACTERS) ?? '',
    retryAfterSeconds: Number.isFinite(seconds) && seconds > 0 ? seconds : null,
  };
}

function explain(error: unknown, isTimeout: boolean, timeoutMs: number): string {
  if (causesOf(error).some((cause) => cause instanceof PrivateAddress))
    return 'The address is in a private network. An admin can allow it with ALLOW_PRIVATE_HOSTS.';
  const reason = findReason(error, 'the address');
  if (reason) return `The receiver can't be reached: ${reason}`;
  if (isTimeout) return `The receiver didn't respond within ${Math.ceil(timeoutMs / 1_000)} seconds.`;
  const code = findErrorCode(error);
  return `The receiver can't be reached${code && ` (${code})`}.`;
}
