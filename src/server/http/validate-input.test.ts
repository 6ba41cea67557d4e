import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { MessageResponse } from '#contracts/fields.ts';
import { validateInput } from './validate-input.ts';

/** The error's message and field for an invalid input. */
const errorFor = (schema: z.ZodType, input: unknown, httpPart?: string) => {
  const read = validateInput({ schema, ...(httpPart && { httpPart }) })(input);
  return 'error' in read ? [read.error.message, read.error.field] : 'valid';
};
const errorForField = (field: z.ZodType, value: unknown) => errorFor(z.object({ field }), { field: value });

describe('a rule without a message names the field and the rule', () => {
  test.for<[string, z.ZodType, unknown]>([
    ['must be at most 2,000 characters', z.string().max(2_000), 'x'.repeat(2_001)],
    ['must be at least 8 characters', z.string().min(8), 'x'],
    ['must not be empty', z.string().min(1), ''],
    ['must be at most 5', z.number().max(5), 6],
    ['must be less than 5', z.number().lt(5), 5],
    ['must be at least 5', z.number().min(5), 4],
    ['must be more than 5', z.number().gt(5), 5],
    ['must have at most 2 entries', z.array(z.string()).max(2), ['a', 'b', 'c']],
    ['must have at least 2 entries', z.array(z.string()).min(2), ['a']],
    ['must be a string', z.string(), 7],
    ['must be a string', z.string(), null],
    ['must be a number', z.number(), '7'],
    ['must be a whole number', z.int(), 1.5],
    ['must be true or false', z.boolean(), 'yes'],
    ['must be a list', z.array(z.string()), 'a'],
    ['must be a JSON object', z.object({}), []],
    ['has the wrong type', z.date(), 'today'],
    ['is required', z.string(), undefined],
    ['must be one of a, b', z.enum(['a', 'b']), 'c'],
    ['must be a', z.literal('a'), 'c'],
    ['has an invalid format', z.uuid(), 'c'],
    ['is not valid', z.union([z.string(), z.number()]), true],
    ['is not valid', z.string().refine(() => false), 'c'],
  ])('%s', ([message, field, value]) => {
    expect(errorForField(field, value)).toEqual([`field ${message}`, 'field']);
  });
});

test('a nested value is named by its field path, with the index of a field in a list', () => {
  const schema = z.object({ people: z.array(z.object({ name: z.string() })), tags: z.array(z.string().max(3)) });
  expect(errorFor(schema, { people: [], tags: ['a', 'long'] })).toEqual(['tags must be at most 3 characters', 'tags']);
  expect(errorFor(schema, { people: [{ name: 'Ann' }, {}], tags: [] })).toEqual([
    'people[1].name is required',
    'people[1].name',
  ]);
});

test('an invalid part as a whole is named by the part of the request', () => {
  expect(errorFor(MessageResponse, null)).toEqual(['body must be a JSON object', 'body']);
  expect(errorFor(MessageResponse.strict(), { message: '', more: 1 }, 'querystring')).toEqual([
    'querystring contains unknown fields',
    'querystring',
  ]);
});

test('a message of the contract is kept, as a sentence or after the field name', () => {
  expect(errorForField(z.string().min(1, 'is needed'), '')).toEqual(['field is needed', 'field']);
  expect(errorForField(z.string().min(1, 'Summary text cannot be empty'), '')).toEqual([
    'Summary text cannot be empty',
    'field',
  ]);
});
