import type { FastifyReply } from 'fastify';
import { cachingHeaders, contentHeaders } from './file-headers.ts';

/**
 * Leaves the bytes to the nginx in front of us, which does ranges and conditional requests itself (nginx.org,
 * ngx_http_proxy_module, X-Accel-Redirect). Of our headers it keeps Content-Type, Content-Disposition, Cache-Control and
 * Set-Cookie only; the location must add the others itself with `add_header`.
 */
export function handOverToNginx(reply: FastifyReply, name: string, internalPath: string): FastifyReply {
  return reply
    .headers({ ...cachingHeaders, ...contentHeaders(name) })
    .header('x-accel-redirect', internalPath)
    .send();
}
