import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { testNames } from './support/test-names.ts';

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8');

/** `` `file` › describes › name ``. */
const REFERENCE = /^`(?<file>(?:src|test)\/[^`]+\.(?:test\.tsx?|spec\.ts))` › (?<name>.+)$/;
/** A statement that no test proves says why, and where the readings of the specification settle it. */
const NOT_APPLICABLE = /^n\/a: .{20,} \(decisions\.md, [A-Z][\w ()]+\)$/;

interface Row {
  section: string;
  statement: string;
  proofs: string[];
}

function rowsOf(page: string): Row[] {
  let section = '';
  return page.split('\n').flatMap((line): Row[] => {
    if (line.startsWith('## ')) section = line.slice(3);
    if (!line.startsWith('| ') || line.startsWith('| Statement |') || line.startsWith('| --- |')) return [];
    const [, statement = '', proofs = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
    return [{ section, statement, proofs: proofs.split('<br>').filter(Boolean) }];
  });
}

const rows = rowsOf(await read('docs/SPEC.md'));
const references = rows.flatMap(({ proofs }) => proofs).filter((proof) => !proof.startsWith('n/a'));

test('docs/SPEC.md has every section of the specification', () => {
  const sections = [...new Set(rows.map(({ section }) => Number.parseInt(section, 10)))];
  expect(sections).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(rows.length).toBeGreaterThanOrEqual(300);
});

test('every statement names a test, or says with decisions.md why none applies', () => {
  const unproven = rows.filter(
    ({ statement, proofs }) =>
      statement === '' ||
      proofs.length === 0 ||
      !proofs.every((proof) => REFERENCE.test(proof) || NOT_APPLICABLE.test(proof)),
  );
  expect(unproven).toEqual([]);
});

test('every test that docs/SPEC.md names exists and is run', async () => {
  const files = new Map<string, string[]>();
  const missing: string[] = [];
  for (const reference of new Set(references)) {
    const { file = '', name = '' } = REFERENCE.exec(reference)?.groups ?? {};
    if (!files.has(file)) files.set(file, testNames(file, await read(file).catch(() => '')));
    if (!files.get(file)?.includes(name)) missing.push(reference);
  }
  expect(missing).toEqual([]);
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
/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: see above */
