import type { FastifyRequest } from 'fastify';
import { AppError } from '#server/app-error.ts';

/** PostgreSQL cannot store NUL characters in text. The error names the field. */
export async function refuseNul({ params, query, body }: FastifyRequest): Promise<void> {
  for (const part of [params, query, body]) {
    if (typeof part !== 'object' || part === null) continue;
    for (const [field, value] of Object.entries(part)) {
      if (hasNul(value)) throw new AppError('invalid_input', `${field} must not contain NUL characters.`, { field });
    }
  }
}

/**
 * Checks a text or a list of texts. No contract accepts deeper ones, and recursion could exhaust
 * the stack.
 */
const hasNul = (value: unknown): boolean =>
  [value].flat().some((item) => typeof item === 'string' && item.includes('\0'));
