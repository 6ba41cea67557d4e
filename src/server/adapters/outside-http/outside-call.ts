import { Agent } from 'undici';
import { cleanText } from './clean-text.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * The connections to one service. undici's limits on headers and body are off, because every caller
 * limits its call as a whole, or how long it may stay silent.
 */
export const outsideAgent = (options: Agent.Options = {}): Agent =>
  new Agent({
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    ...options,
  });

/** The answer is longer than its reader accepts. */
export class AnswerTooLarge extends Error {
  override name = 'AnswerTooLarge';
}

/** Reads a body as UTF-8 and closes the connection when it is too long. @throws AnswerTooLarge */
export async function readText(body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<string> {
  return new TextDecoder().decode(await readBytes(body, maxBytes));
}

/**
 * Reads a body and closes the connection when it is too long, or when `onChunk` throws.
 * @throws AnswerTooLarge
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
    if (size > maxBytes) throw new AnswerTooLarge(`The answer has more than ${maxBytes} bytes.`);
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

/**
 * Returns undefined when the text is not JSON. The parser's own error would quote the text, which
 * may be secret.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Header values are printable ASCII (RFC 9110, section 5.5), so no service can have issued any
 * other key.
 */
export const isHeaderValue = (key: string): boolean => /^[\x20-\x7e]*$/.test(key);

/**
 * Shortens a service's own error message to one line of at most 300 characters, without the key and
 * without addresses, which may be signed.
 */
export function quotedMessage(message: string, apiKey: string): string | null {
  const line = (apiKey ? message.replaceAll(apiKey, '…') : message)
    .replace(/https?:\/\/\S+/g, '…')
    .replace(/\s+/g, ' ');
  return cleanText(line, MAX_QUOTED_CHARACTERS);
}

const MAX_QUOTED_CHARACTERS = 300;

export interface BrokenCall {
  /** The service's name at the beginning of a sentence. */
  service: string;
  /** The variable that contains its address. */
  variable: string;
  timeoutMs: number;
  isTimeout: boolean;
}

/** The message for a call that got no complete answer. */
export function brokenMessage({ service, variable, timeoutMs, isTimeout }: BrokenCall): string {
  if (!isTimeout) return `${service} can't be reached. If this keeps happening, ask an admin to check ${variable}.`;
  const seconds = Math.ceil(timeoutMs / 1_000);
  return `${service} didn't answer within ${seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}.`;
}
