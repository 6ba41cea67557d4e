import type { z } from 'zod';
import { AppError } from '../app-error.ts';
import { issueWords } from './issue-words.ts';

/** Fastify's validator for one part of a request: reads it by its schema, or refuses it by the name of the first field that is wrong. */
export const validateInput =
  ({ schema, httpPart = 'body' }: { schema: z.ZodType; httpPart?: string }) =>
  (given: unknown): { value: unknown } | { error: AppError } => {
    const read = schema.safeParse(given, { error: issueWords });
    return read.success ? { value: read.data } : { error: invalidInput(read.error.issues, httpPart) };
  };

/** Names the field, without the place in a list of values, and what would be right: `limit must be a whole number from 1 to 100`. */
function invalidInput([first]: z.core.$ZodIssue[], part: string): AppError {
  const names = first?.path.filter((step) => typeof step === 'string') ?? [];
  const field = names.join('.') || part;
  const rule = first?.message ?? 'is not valid';
  // Texts of the specification are sentences of their own: `Transcript text cannot be empty`.
  return new AppError('invalid_input', /^[A-Z]/.test(rule) ? rule : `${field} ${rule}`, { field });
}
