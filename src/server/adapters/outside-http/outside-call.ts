import { Agent, type Dispatcher } from 'undici';
import { maskSecrets } from '#server/ports/sent-secrets.ts';
import { causesOf, findTlsProblem, type TlsProblem } from '#server/ports/tls-problem.ts';
import { cleanText } from './clean-text.ts';
import { type OutgoingProxy, ProxyError, throughProxy } from './outgoing-proxy.ts';

const CONNECT_TIMEOUT_MS = 10_000;

interface OutsideOptions extends Omit<Agent.Options, 'connect'> {
  connectTimeoutMs?: number;
}

/**
 * The connections to one service. undici's limits on headers and body are off, because every caller
 * limits its call as a whole, or how long it may stay silent. So is HTTP/2, where calls would share
 * one connection and its limits.
 */
export function outsideAgent(
  { connectTimeoutMs = CONNECT_TIMEOUT_MS, ...options }: OutsideOptions,
  proxy: OutgoingProxy | undefined,
): Dispatcher {
  const agent = { allowH2: false, pipelining: 1, headersTimeout: 0, bodyTimeout: 0, ...options };
  const direct = new Agent({ ...agent, connect: { timeout: connectTimeoutMs } });
  return proxy ? throughProxy(proxy, direct, { agent, connectTimeoutMs }) : direct;
}

/** The response is longer than its reader accepts. */
export class ResponseTooLarge extends Error {
  override name = 'ResponseTooLarge';
}

/** Reads a body as UTF-8 and closes the connection when it is too long. @throws ResponseTooLarge */
export async function readText(body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<string> {
  return new TextDecoder().decode(await readBytes(body, maxBytes));
}

/**
 * Reads a body and closes the connection when it is too long, or when `onChunk` throws.
 * @throws ResponseTooLarge
 */
export async function readBytes(
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
  onChunk: (chunk: Uint8Array) => void = () => {},
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > maxBytes) throw new ResponseTooLarge(`The response has more than ${maxBytes} bytes.`);
    onChunk(chunk);
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Copies an error: undici's parser adds the data that it has read, such as tokens. */
export function withoutReadData(error: unknown): Error {
  const { name, message } = error instanceof Error ? error : new Error('unknown');
  return new Error(`${name}: ${message}`);
}

/**
 * Header values are printable ASCII (RFC 9110, section 5.5), so no service can have issued any
 * other key.
 */
export const isHeaderValue = (key: string): boolean => /^[\x20-\x7e]*$/.test(key);

/**
 * Shortens a service's own error message to one line of at most 300 characters, without the key and
 * without URLs, which may be signed.
 */
export function quotedMessage(message: string, apiKey: string): string | null {
  const line = maskSecrets(apiKey ? message.replaceAll(apiKey, '…') : message)
    .replace(/https?:\/\/\S+/g, '…')
    .replace(/\s+/g, ' ');
  return cleanText(line, MAX_QUOTED_CHARACTERS);
}

const MAX_QUOTED_CHARACTERS = 300;

export interface BrokenCall {
  /** The service's name at the beginning of a sentence. */
  service: string;
  /** The variable that contains its URL. */
  variable: string;
  timeoutMs: number;
  isTimeout: boolean;
  error: unknown;
}

/** The message for a call that got no complete response. */
export function brokenMessage({ service, variable, timeoutMs, isTimeout, error }: BrokenCall): string {
  const reason = findReason(error, variable);
  if (reason) return `${service} can't be reached: ${reason}`;
  if (!isTimeout) return `${service} can't be reached. If this keeps happening, ask an admin to check ${variable}.`;
  const seconds = Math.ceil(timeoutMs / 1_000);
  return `${service} didn't respond within ${seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}.`;
}

/**
 * Returns a reason that an administrator can remove: the proxy, or the certificate. Null for any
 * other error. `checked` is what contains the URL.
 */
export function findReason(error: unknown, checked: string): string | null {
  for (const cause of causesOf(error)) if (cause instanceof ProxyError) return cause.message;
  const problem = findTlsProblem(error);
  return problem && TLS_REASONS[problem](checked);
}

const TLS_REASONS: Record<TlsProblem, (checked: string) => string> = {
  untrusted: (checked) =>
    `its certificate isn't trusted. Ask an admin to check ${checked}, or to add its CA to NODE_EXTRA_CA_CERTS.`,
  expired: () => "its certificate has expired or isn't valid yet. Ask an admin to renew it, or to check the clocks.",
  other_host: (checked) => `its certificate is for another host name. Ask an admin to check ${checked}.`,
  no_tls: (checked) => `it doesn't speak HTTPS at this port. Ask an admin to check ${checked}.`,
};
