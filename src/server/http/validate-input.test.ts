import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { MessageAnswer } from '#contracts/fields.ts';
import { validateInput } from './validate-input.ts';

/** What somebody is told whose input breaks a rule that has no text of its own. */
const told = (schema: z.ZodType, given: unknown, httpPart?: string) => {
  const read = validateInput({ schema, ...(httpPart && { httpPart }) })(given);
  return 'error' in read ? [read.error.message, read.error.field] : 'taken';
};
const one = (field: z.ZodType, value: unknown) => told(z.object({ field }), { field: value });

describe('a rule without a text of its own is told in our words, with the name of the field', () => {
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
    ['must be a text', z.string(), 7],
    ['must be a text', z.string(), null],
    ['must be a number', z.number(), '7'],
    ['must be a whole number', z.int(), 1.5],
    ['must be true or false', z.boolean(), 'yes'],
    ['must be a list', z.array(z.string()), 'a'],
    ['must be a JSON object', z.object({}), []],
    ['is of the wrong type', z.date(), 'today'],
    ['is required', z.string(), undefined],
    ['must be one of a, b', z.enum(['a', 'b']), 'c'],
    ['must be a', z.literal('a'), 'c'],
    ['is not written as it has to be', z.uuid(), 'c'],
    ['is not valid', z.union([z.string(), z.number()]), true],
    ['is not valid', z.string().refine(() => false), 'c'],
  ])('%s', ([words, field, value]) => {
    expect(one(field, value)).toEqual([`field ${words}`, 'field']);
  });
});

test('a value within a list or an object is named by the fields that lead to it, not by its place in a list', () => {
  const schema = z.object({ people: z.array(z.object({ name: z.string() })), tags: z.array(z.string().max(3)) });
  expect(told(schema, { people: [], tags: ['a', 'long'] })).toEqual(['tags must be at most 3 characters', 'tags']);
  expect(told(schema, { people: [{}], tags: [] })).toEqual(['people.name is required', 'people.name']);
});

test('what is wrong as a whole is named by the part of the request', () => {
  expect(told(MessageAnswer, null)).toEqual(['body must be a JSON object', 'body']);
  expect(told(MessageAnswer.strict(), { message: '', more: 1 }, 'querystring')).toEqual([
    'querystring must not have fields besides those that are described',
    'querystring',
  ]);
});

test('a text that the contract has of its own stays, as a sentence or after the name of the field', () => {
  expect(one(z.string().min(1, 'is needed'), '')).toEqual(['field is needed', 'field']);
  expect(one(z.string().min(1, 'Summary text cannot be empty'), '')).toEqual(['Summary text cannot be empty', 'field']);
});
