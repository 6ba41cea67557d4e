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

/** In a text or a list of texts: what lies deeper no contract takes, and following it down could exhaust the stack. */
const hasNul = (value: unknown): boolean =>
  [value].flat().some((item) => typeof item === 'string' && item.includes('\0'));
