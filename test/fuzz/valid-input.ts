import fc from 'fast-check';
import type { z } from 'zod';
import type { $ZodTypes } from 'zod/v4/core';
import { anyCharacter } from '#support/any-character.ts';

/** Values that match refinements, which random text would not. */
const REFINED_TEXTS = ['BUB-ACME-2026-07', 'https://ats.example.com/apply', '2026-03-01T10:00:00.000Z'];

const letters = (lengths: { minLength: number; maxLength: number }) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme', ...lengths }) },
    { weight: 2, arbitrary: fc.string({ unit: anyCharacter, ...lengths }) },
    {
      weight: 1,
      arbitrary: fc.string({ unit: fc.constantFrom('%', '_', '\\', "'", '"', '<', '\n', 'é', '🙂'), ...lengths }),
    },
  );

/** Generates values that a schema accepts before its defaults and transforms. */
export function validInput(schema: z.ZodType): fc.Arbitrary<unknown> {
  const accepted = (value: unknown) => schema.safeParse(value).success && !JSON.stringify(value)?.includes('\\u0000');
  return anyInput(schema as unknown as $ZodTypes).filter(accepted);
}

function anyInput(schema: $ZodTypes): fc.Arbitrary<unknown> {
  const inner = (part: unknown) => anyInput(part as $ZodTypes);
  const { def } = schema._zod;
  switch (def.type) {
    case 'object':
      return fc.record(Object.fromEntries(Object.entries(def.shape).map(([name, part]) => [name, validField(part)])));
    case 'array':
      return fc.array(validField(def.element), { maxLength: 4 });
    case 'record':
      return fc.dictionary(validField(def.keyType) as fc.Arbitrary<string>, validField(def.valueType), { maxKeys: 4 });
    case 'tuple':
      return fc.tuple(...def.items.map(validField));
    case 'optional':
    case 'default':
      return fc.option(inner(def.innerType), { nil: undefined });
    case 'nullable':
      return fc.option(inner(def.innerType), { nil: null });
    case 'pipe':
      // The input type of `preprocess` is unknown; its output type is accepted as well.
      return inner((def.in as $ZodTypes)._zod.def.type === 'transform' ? def.out : def.in);
    case 'union':
      return fc.oneof(...def.options.map(validField));
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries));
    case 'literal':
      return fc.constantFrom(...def.values);
    case 'boolean':
      return fc.boolean();
    case 'number':
      return numberFor(schema._zod.bag as Bounds);
    case 'string':
      return textFor(schema._zod.bag as Bounds);
    default:
      throw new Error(`The fuzz run has no values for a schema of type ${def.type}: add them here.`);
  }
}

const validField = (part: unknown) => validInput(part as z.ZodType);

/** The bounds that zod stores with a schema; `z.toJSONSchema()` reads them too. */
type Bounds = { minimum?: number | undefined; maximum?: number | undefined };

function numberFor({ minimum = -1e9, maximum = 1e9 }: Bounds): fc.Arbitrary<number> {
  const [min, max] = [Math.ceil(minimum), Math.floor(maximum)];
  return fc.oneof(fc.integer({ min, max: Math.min(max, min + 20) }), fc.integer({ min, max }));
}

function textFor({ minimum: minLength = 0, maximum = 400 }: Bounds): fc.Arbitrary<string> {
  const exactly = (count: number) =>
    fc.constantFrom('x', 'é', '\t', '𝒳').map((one) => one.repeat(count).slice(0, count));
  return fc.oneof(
    { weight: 20, arbitrary: letters({ minLength, maxLength: Math.min(maximum, 60) }) },
    { weight: 4, arbitrary: fc.constantFrom(...REFINED_TEXTS) },
    { weight: 1, arbitrary: exactly(maximum) },
  );
}
