import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import type { ReadableFile, StoredFile } from '../ports/file-store.ts';
import { type ByteRange, lengthOf, parseRange } from './byte-ranges.ts';
import { fileBlocks, SMALL_BLOCK_BYTES } from './file-blocks.ts';
import { FileBody } from './file-body.ts';
import { cachingHeaders, contentHeaders, validatorHeaders } from './file-headers.ts';
import { checkPreconditions, rangeApplies } from './preconditions.ts';
import { readSmallPart } from './small-file-body.ts';

/**
 * Answers a GET or HEAD with a stored file: whole or one range, conditional requests included (RFC 9110, sections 13 and 14). Takes
 * the opened file over and closes it in every case. The file's name must change whenever its content does: browsers keep it.
 * @throws AppError `range_not_satisfiable`
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, opened }: { name: string; opened: ReadableFile },
): Promise<FastifyReply> {
  let body: FileBody | Buffer | undefined;
  try {
    const part = describeAnswer(request, reply, { name, file: opened.file });
    body = part ? await bodyOf(opened, part, reply.raw) : undefined;
  } finally {
    if (!(body instanceof FileBody)) await opened.close();
  }
  return reply.send(body);
}

async function bodyOf(opened: ReadableFile, part: ByteRange, response: ServerResponse): Promise<FileBody | Buffer> {
  return lengthOf(part) <= SMALL_BLOCK_BYTES
    ? readSmallPart(opened, part, { response, pool: fileBlocks })
    : new FileBody(opened, part, fileBlocks);
}

/** Sets the status and the headers. Resolves with the bytes to send; null when the answer has none. */
function describeAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, file }: { name: string; file: StoredFile },
): ByteRange | null {
  const verdict = checkPreconditions(request.headers, file);
  if (verdict === 'failed') {
    reply.code(412).header('cache-control', 'no-store');
    return null;
  }
  if (verdict === 'not_modified') {
    reply.code(304).headers(cachingHeaders).headers(validatorHeaders(file));
    return null;
  }
  const range = rangeOf(request, file);
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${file.size}`);
    throw new AppError('range_not_satisfiable', `The file ends before this range: it has ${file.size} bytes.`);
  }
  reply.headers(cachingHeaders).headers(validatorHeaders(file)).headers(contentHeaders(name));
  const part = describeLength(reply, range, file.size);
  return request.method === 'HEAD' || file.size === 0 ? null : part;
}

function describeLength(reply: FastifyReply, range: ByteRange | 'whole', size: number): ByteRange {
  const part = range === 'whole' ? { start: 0, end: size - 1 } : range;
  if (range !== 'whole') reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${size}`);
  reply.header('accept-ranges', 'bytes').header('content-length', lengthOf(part));
  return part;
}

/** Ranges are defined for GET only (RFC 9110, section 14.2). */
function rangeOf({ method, headers }: FastifyRequest, file: StoredFile): ByteRange | 'whole' | 'unsatisfiable' {
  if (method !== 'GET' || !rangeApplies(headers['if-range'] as string | undefined, file)) return 'whole';
  return parseRange(headers.range, file.size);
}
