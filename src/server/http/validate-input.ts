import type { z } from 'zod';
import { AppError } from '#server/app-error.ts';

/** Fastify's validator for one part of a request. An error names the first invalid field. */
export const validateInput =
  ({ schema, httpPart = 'body' }: { schema: z.ZodType; httpPart?: string }) =>
  (input: unknown): { value: unknown } | { error: AppError } => {
    const parsed = schema.safeParse(input, { error: issueMessage });
    return parsed.success ? { value: parsed.data } : { error: invalidInput(parsed.error.issues, httpPart) };
  };

/** For example `limit must be a whole number from 1 to 100`. */
function invalidInput([first]: z.core.$ZodIssue[], part: string): AppError {
  const field = first ? nameOf(first.path) || part : part;
  const rule = first?.message ?? 'is not valid';
  // The specification's texts are whole sentences: `Transcript text cannot be empty`.
  return new AppError('invalid_input', /^[A-Z]/.test(rule) ? rule : `${field} ${rule}`, { field });
}

/** For example `criteria[2].label`. Omits the index of a value without a name. */
function nameOf(path: readonly PropertyKey[]): string {
  const last = path.findLastIndex((step) => typeof step === 'string');
  return path.slice(0, last + 1).reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`;
    return name === '' ? String(step) : `${name}.${String(step)}`;
  }, '');
}

type Issue = Parameters<z.core.$ZodErrorMap>[0];

/**
 * Completes a sentence that begins with the field, for rules whose contract has no message of its
 * own.
 */
function issueMessage(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : (TYPE_MESSAGES[issue.expected] ?? 'has the wrong type');
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return boundMessage(issue.origin, issue.inclusive ? 'at most' : 'less than', issue.maximum);
    case 'too_small':
      return issue.origin === 'string' && Number(issue.minimum) === 1
        ? 'must not be empty'
        : boundMessage(issue.origin, issue.inclusive ? 'at least' : 'more than', issue.minimum);
    case 'invalid_format':
      return 'has an invalid format';
    case 'unrecognized_keys':
      return 'contains unknown fields';
    default:
      return 'is not valid';
  }
}

const TYPE_MESSAGES: Record<string, string> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be a JSON object',
};

function boundMessage(origin: string, relation: string, bound: number | bigint): string {
  const amount = `${relation} ${bound.toLocaleString('en-US')}`;
  if (origin === 'string') return `must be ${amount} characters`;
  return origin === 'array' ? `must have ${amount} entries` : `must be ${amount}`;
}
