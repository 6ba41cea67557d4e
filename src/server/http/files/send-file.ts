import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#server/app-error.ts';
import type { ReadableFile, StoredFile } from '#server/ports/file-store.ts';
import { type ByteRange, lengthOf, parseRange } from './byte-ranges.ts';
import { contentHeaders, storedFileHeaders, validatorHeaders } from './file-headers.ts';
import { checkPreconditions, rangeApplies } from './preconditions.ts';
import { sendRange } from './send-range.ts';

interface FileResponse {
  status: number;
  headers: Record<string, string>;
  /** The bytes to send; null for none. */
  range: ByteRange | null;
}

/**
 * Responds to a GET or HEAD with a stored file: whole or one range, with conditional requests (RFC
 * 9110, sections 13 and 14). Closes the file in every case.
 * @throws AppError `range_not_satisfiable`
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, opened }: { name: string; opened: ReadableFile },
): Promise<FastifyReply> {
  try {
    const { status, headers, range } = decideResponse(request, reply, { name, file: opened.file });
    if (range === null) return reply.code(status).headers(headers).send();
    await sendBody(reply, opened, { status, headers, range });
    return reply;
  } finally {
    await opened.close();
  }
}

/**
 * Writes to the response itself: for small ranges, a stream through Fastify costs more than the
 * bytes.
 */
async function sendBody(
  reply: FastifyReply,
  opened: ReadableFile,
  { status, headers, range }: FileResponse & { range: ByteRange },
): Promise<void> {
  const response = reply.raw;
  const writeHead = () => {
    reply.hijack();
    response.writeHead(status, { ...reply.getHeaders(), ...headers } as OutgoingHttpHeaders);
  };
  try {
    await sendRange(opened, range, { response, writeHead });
  } catch (error) {
    if (!response.headersSent) throw error;
    reply.log.warn({ err: error }, 'a file could not be sent to its end');
    response.destroy();
  }
}

function decideResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, file }: { name: string; file: StoredFile },
): FileResponse {
  const verdict = checkPreconditions(request.headers, file);
  if (verdict === 'failed') return { status: 412, headers: { 'cache-control': 'no-store' }, range: null };
  if (verdict === 'not-modified')
    return { status: 304, headers: { ...storedFileHeaders, ...validatorHeaders(file) }, range: null };
  const range = requestedRange(request, file);
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${file.size}`);
    throw new AppError('range_not_satisfiable', `The range begins after the end of the file (${file.size} bytes).`);
  }
  const part = range === 'whole' ? { start: 0, end: file.size - 1 } : range;
  return {
    status: range === 'whole' ? 200 : 206,
    headers: {
      ...storedFileHeaders,
      ...validatorHeaders(file),
      ...contentHeaders(name),
      ...(range !== 'whole' && { 'content-range': `bytes ${part.start}-${part.end}/${file.size}` }),
      'accept-ranges': 'bytes',
      'content-length': String(lengthOf(part)),
    },
    range: request.method === 'HEAD' || file.size === 0 ? null : part,
  };
}

/** Ranges are defined for GET only (RFC 9110, section 14.2). */
function requestedRange({ method, headers }: FastifyRequest, file: StoredFile): ByteRange | 'whole' | 'unsatisfiable' {
  if (method !== 'GET' || !rangeApplies(headers['if-range'] as string | undefined, file)) return 'whole';
  return parseRange(headers.range, file.size);
}

/**
 * Leaves the bytes to the nginx in front of us, which handles ranges and conditional requests
 * (nginx.org, ngx_http_proxy_module, X-Accel-Redirect). nginx keeps only our Content-Type,
 * Content-Disposition, Cache-Control and Set-Cookie headers; its location must add the others with
 * `add_header`.
 */
export function handOverToNginx(reply: FastifyReply, name: string, internalPath: string): FastifyReply {
  return reply
    .headers({ ...storedFileHeaders, ...contentHeaders(name) })
    .header('x-accel-redirect', internalPath)
    .send();
}
