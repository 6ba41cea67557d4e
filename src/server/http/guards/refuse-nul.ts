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
  /** The part that contains this one, and its name there. An item of a list has none. */
  within: Part | null;
  key: string | null;
  value: unknown;
}

/**
 * Returns the path of a text with a NUL, such as `target.filter.search`. A loop, because deep JSON
 * could exhaust the stack; paths are joined only for an error, because deep ones take long.
 */
function findNul(input: unknown): string | null {
  const open: Part[] = [{ within: null, key: null, value: input }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value } = next;
    if (typeof value === 'string' && value.includes('\0')) return pathOf(next);
    if (typeof value === 'object' && value !== null) for (const part of partsOf(next, value)) open.push(part);
  }
  return null;
}

function* partsOf(within: Part, value: object): Generator<Part> {
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== 'string' && typeof inner !== 'object') continue;
    yield { within, key: Array.isArray(value) ? null : key, value: inner };
  }
}

function pathOf(part: Part): string {
  const keys: string[] = [];
  for (let at: Part | null = part; at; at = at.within) if (at.key !== null) keys.push(at.key);
  return keys.reverse().join('.');
}
