import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#server/app-error.ts';
import { isLoopback } from '#server/http/loopback.ts';

/** `name:port`, `address:port` or `[address]:port` (RFC 9110, section 7.2). */
const HOST = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d*)?$/i;

/**
 * Rejects requests without exactly one host, because a proxy could read a different one. If the
 * request target contains a host, it must be the same (RFC 9112, sections 3.2 and 3.2.2).
 */
export async function refuseAmbiguousHost({ raw }: FastifyRequest, reply: FastifyReply): Promise<void> {
  const problem = problemOfHost(raw);
  if (!problem) return;
  reply.header('connection', 'close');
  throw new AppError('invalid_input', problem);
}

function problemOfHost({ rawHeaders, headers, httpVersion, url = '' }: IncomingMessage): string | null {
  let hosts = 0;
  // `headers` contains only the first one. Names and values alternate.
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) return 'The request must have exactly one Host header.';
  const target = url.startsWith('/') ? null : URL.parse(url);
  if (target && target.host !== URL.parse(`${target.protocol}//${headers.host}`)?.host)
    return 'The Host header must match the host of the address.';
  return null;
}

/**
 * Protects against DNS rebinding, in which a site resolves its own name to our address, and the
 * browser then treats our pages as its own. Serves the names of this machine and `allowed` ones.
 * Requests without a Host header (HTTP/1.0) do not come from browsers.
 */
export function guardHost(allowed: readonly string[]) {
  const names = new Set(allowed);
  return async ({ host, routeOptions }: FastifyRequest): Promise<void> => {
    if (host === '' || routeOptions.config.servesAnyHost) return;
    const [, address, name] = HOST.exec(host) ?? [];
    const bare = address ?? name?.replace(/\.$/, '').toLowerCase() ?? '';
    if (isLoopback(bare) || names.has(address ? `[${bare}]` : bare)) return;
    throw new AppError('foreign_host', allowed.length > 0 ? OTHER_NAME : LOOPBACK_ONLY, {
      logged: { host: cutHeader(host) },
    });
  };
}

/** Headers can have 16 KB. A line of the log shows the start. */
export const cutHeader = (value: string | undefined): string | undefined => value?.slice(0, 200);

const OTHER_NAME = "This server isn't available under this host name. To allow the name, add it to PUBLIC_URL.";
const LOOPBACK_ONLY =
  'This server only accepts requests from this computer. Behind a proxy, set TRUST_PROXY=true; to allow other computers, set HOST.';
