import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type AllowedHosts, plainHost } from '#server/adapters/outside-http/private-addresses.ts';

const PRIVATE = 'must not be in a private network. An administrator can allow the host with ALLOW_PRIVATE_HOSTS';

/** Returns the problem of a URL as the end of a sentence, or null. */
export async function findUrlProblem(text: string, allowed: AllowedHosts): Promise<string | null> {
  const url = URL.parse(text);
  if (!url?.hostname) return 'must be a URL, such as https://example.com/events';
  const host = plainHost(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowed.hasHost(host)))
    return 'must start with https://. Only hosts in ALLOW_PRIVATE_HOSTS may have http://';
  if (url.username || url.password) return 'must not contain a username or a password';
  if (!allowed.admitsUrl(text)) return PRIVATE;
  return (await isResolvedPrivate(host, allowed)) ? PRIVATE : null;
}

/**
 * A name may resolve to another address later, so each connection is checked as well. Names that do
 * not resolve here may resolve at an outgoing proxy.
 */
async function isResolvedPrivate(host: string, allowed: AllowedHosts): Promise<boolean> {
  if (isIP(host) > 0 || allowed.hasName(host)) return false;
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.length > 0 && !found.some(({ address }) => allowed.admits(address));
}
