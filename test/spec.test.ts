import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { isReference, missingTests, proofRows } from './support/proofs.ts';
import { testNames } from './support/test-names.ts';

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8');

/** The reason why no test proves a statement, with its place in decisions.md. */
const NOT_APPLICABLE = /^n\/a: .{20,} \(decisions\.md, [A-Z][\w ()]+\)$/;

const rows = proofRows(await read('docs/evidence/SPEC.md')).map(({ section, cells: [statement = ''], proofs }) => ({
  section,
  statement,
  proofs,
}));
const references = rows.flatMap(({ proofs }) => proofs).filter((proof) => !proof.startsWith('n/a'));

test('docs/evidence/SPEC.md has every section of the specification', () => {
  const sections = [...new Set(rows.map(({ section }) => Number.parseInt(section, 10)))];
  expect(sections).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(rows.length).toBeGreaterThanOrEqual(300);
});

test('every statement names a test, or a reason with its place in decisions.md', () => {
  const unproven = rows.filter(
    ({ statement, proofs }) =>
      statement === '' ||
      proofs.length === 0 ||
      !proofs.every((proof) => isReference(proof) || NOT_APPLICABLE.test(proof)),
  );
  expect(unproven).toEqual([]);
});

test('every test that docs/evidence/SPEC.md names exists and is run', async () => {
  expect(await missingTests(references)).toEqual([]);
});

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are sources of tests */
test.each([
  ["test('a name', () => {})", ['a name']],
  ["describe('a thing', () => { test('does', () => {}); });", ['a thing › does']],
  ["test.describe('a thing', () => { for (const n of []) test(`${n} holds`, () => {}); });", ['a thing › ${n} holds']],
  ["test.each([[1, 2]])('%i is %i', () => {})", ['%i is %i']],
  ["test.skip('not yet', () => {}); describe.skip('later', () => { test('a', () => {}); }); test.todo('b');", []],
  ["test.describe.configure({ mode: 'parallel' }); test.slow(); expect('test').toBe('test');", []],
])('the tests of %s are %j', (source, names) => {
  expect(testNames('some.test.ts', source)).toEqual(names);
});
/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: these are sources of tests */
