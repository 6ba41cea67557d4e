import type { FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';

/** PostgreSQL keeps no NUL character in a text, and nobody types one: refused here, by the name of its field. */
export async function refuseNul({ params, query, body }: FastifyRequest): Promise<void> {
  for (const part of [params, query, body]) {
    if (typeof part !== 'object' || part === null) continue;
    for (const [field, value] of Object.entries(part)) {
      if (hasNul(value)) throw new AppError('invalid_input', `${field} must not contain NUL characters.`, { field });
    }
  }
}

const hasNul = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(hasNul) : typeof value === 'string' && value.includes('\0');
