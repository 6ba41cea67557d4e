import type { z } from 'zod';

type Issue = Parameters<z.core.$ZodErrorMap>[0];

/** What would be right, to follow the name of the field: `must be at most 50 characters`. For rules whose contract has no text of its own. */
export function issueWords(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : (TYPES[issue.expected] ?? 'is of the wrong type');
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return boundWords(issue.origin, issue.inclusive ? 'at most' : 'less than', issue.maximum);
    case 'too_small':
      return issue.origin === 'string' && Number(issue.minimum) === 1
        ? 'must not be empty'
        : boundWords(issue.origin, issue.inclusive ? 'at least' : 'more than', issue.minimum);
    case 'invalid_format':
      return 'is not written as it has to be';
    case 'unrecognized_keys':
      return 'must not have fields besides those that are described';
    default:
      return 'is not valid';
  }
}

const TYPES: Record<string, string> = {
  string: 'must be a text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be a JSON object',
};

function boundWords(origin: string, relation: string, bound: number | bigint): string {
  const amount = `${relation} ${bound.toLocaleString('en-US')}`;
  if (origin === 'string') return `must be ${amount} characters`;
  return origin === 'array' ? `must have ${amount} entries` : `must be ${amount}`;
}
