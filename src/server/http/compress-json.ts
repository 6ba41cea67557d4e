import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Below this an answer fits into one packet either way. */
const SMALLEST = 1_400;
/** Most of what a higher level would save, in a fraction of its time. */
const LEVEL = 4;

const zip = promisify(gzip);

/** Answers in JSON are four fifths repetition: whoever can unpack them gets them packed. Files and pages are packed when they are built. */
export async function compressJson(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (typeof payload !== 'string' || payload.length < SMALLEST) return payload;
  if (!String(reply.getHeader('content-type')).startsWith('application/json')) return payload;
  reply.header('vary', 'accept-encoding');
  if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return payload;
  reply.header('content-encoding', 'gzip').removeHeader('content-length');
  return zip(payload, { level: LEVEL });
}
