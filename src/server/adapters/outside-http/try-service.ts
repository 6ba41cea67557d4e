import { request } from 'undici';
import { causesOf } from '#server/ports/tls-problem.ts';
import { type OutgoingProxy, ProxyError } from './outgoing-proxy.ts';
import { brokenMessage, outsideAgent } from './outside-call.ts';

const TIMEOUT_MS = 10_000;

export interface ServiceAddress {
  variable: string;
  url: string;
}

/**
 * Returns why a service cannot be reached, or null if it answers anything. With `onlyProxy`, a proxy
 * that accepts us and does not reach the service is no failure.
 */
export async function findCallProblem(
  { variable, url }: ServiceAddress,
  proxy: OutgoingProxy,
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
    const service = `The service in ${variable}`;
    return brokenMessage({ service, variable, timeoutMs: TIMEOUT_MS, isTimeout: signal.aborted, error });
  } finally {
    await dispatcher.destroy();
  }
}
