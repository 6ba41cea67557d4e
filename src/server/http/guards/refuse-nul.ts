import type { FastifyRequest } from 'fastify';
import { AppError } from '#server/app-error.ts';

/** PostgreSQL cannot store NUL characters in text. The error names the field. */
export async function refuseNul({ params, query, body }: FastifyRequest): Promise<void> {
  for (const part of [params, query, body]) {
    const field = findNul(part);
    if (field !== null) throw new AppError('invalid_input', `${field} must not contain NUL characters.`, { field });
  }
}

interface Part {
  /** Such as `target.filter.search`. Indexes of lists are left out, as in other errors. */
  path: string;
  value: unknown;
}

/** Returns the path of a text with a NUL. A loop, because deep JSON could exhaust the stack. */
function findNul(input: unknown): string | null {
  const open: Part[] = [{ path: '', value: input }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { path, value } = next;
    if (typeof value === 'string' && value.includes('\0')) return path;
    if (typeof value === 'object' && value !== null) for (const part of partsOf(path, value)) open.push(part);
  }
  return null;
}

function* partsOf(path: string, value: object): Generator<Part> {
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== 'string' && typeof inner !== 'object') continue;
    yield { path: Array.isArray(value) ? path : [path, key].filter(Boolean).join('.'), value: inner };
  }
}
