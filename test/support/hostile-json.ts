import fc from 'fast-check';

/** Any JSON value, to replace a valid one. */
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    null,
    '',
    '\0',
    '\ud800',
    'x'.repeat(3_000),
    -1,
    1e308,
    Number.POSITIVE_INFINITY,
    {},
    [],
    [[]],
    '__proto__',
  ),
);

/** A valid response in which some values, at any depth, were replaced or removed. */
export const spoiled = (valid: unknown): fc.Arbitrary<unknown> =>
  fc
    .array(fc.tuple(fc.nat(9), anything), { maxLength: 60 })
    .map((choices) => spoil(structuredClone(valid), choices.values()));

function spoil(value: unknown, choices: Iterator<[number, unknown]>): unknown {
  const [chance, other] = choices.next().value ?? [9, null];
  if (chance === 0) return other;
  if (Array.isArray(value)) return value.map((item) => spoil(item, choices));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, item]) => [name, spoil(item, choices)]);
  return Object.fromEntries(chance === 1 ? fields.slice(1) : fields);
}
