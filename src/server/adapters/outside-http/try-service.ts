import { request } from 'undici';
import { causesOf, findErrorCode } from '#server/ports/tls-problem.ts';
import { type OutgoingProxy, ProxyError } from './outgoing-proxy.ts';
import { findReason, outsideAgent } from './outside-call.ts';

const TIMEOUT_MS = 10_000;

export interface ServiceUrl {
  variable: string;
  url: string;
}

/**
 * Returns why a service is unreachable, with advice for the administrator, or null if it responds
 * at all. With `onlyProxy`, a proxy that accepts us but cannot reach the service counts as success.
 */
export async function findCallProblem(
  { variable, url }: ServiceUrl,
  proxy: OutgoingProxy | undefined,
  { onlyProxy }: { onlyProxy: boolean },
): Promise<string | null> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const dispatcher = outsideAgent({}, proxy);
  try {
    const { body } = await request(url, { method: 'HEAD', dispatcher, signal });
    await body.dump();
    return null;
  } catch (error) {
    const ofProxy = causesOf(error).find((cause) => cause instanceof ProxyError);
    if (onlyProxy && !ofProxy?.isOwn) return null;
    const reason = findReason(error, variable);
    if (reason) return `The service in ${variable} can't be reached: ${addressAdmin(reason)}`;
    const seconds = TIMEOUT_MS / 1_000;
    if (signal.aborted)
      return `The service in ${variable} didn't respond within ${seconds} seconds. Check ${variable}.`;
    const code = findErrorCode(error);
    return `The service in ${variable} can't be reached${code && ` (${code})`}. Check ${variable}.`;
  } finally {
    await dispatcher.destroy();
  }
}

/** Other messages are for users, who cannot do it themselves. */
export const addressAdmin = (message: string): string =>
  message.replace(/ask an admin to (\w)/gi, (_, letter: string) => letter.toUpperCase());
