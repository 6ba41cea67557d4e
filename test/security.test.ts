import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ASVS_REQUIREMENTS } from './support/asvs-requirements.ts';
import { isReference, missingTests, proofRows } from './support/proofs.ts';

const all = proofRows(await readFile(new URL('../docs/SECURITY.md', import.meta.url), 'utf8'));
const attacks = all.filter(({ section }) => section === 'Attacks that were tried');
const requirements = all.filter(({ cells: [ids = ''] }) => /^\d+\.\d+\.\d+/.test(ids));
/** What is not met, or cannot be, says why. */
const REASON = /^(?:n\/a|not met): .{10,}$/;

test('every requirement of the ASVS 5.0, level 1 and 2, stands in docs/SECURITY.md once', () => {
  const named = requirements.flatMap(({ cells: [ids = ''] }) => ids.split(', '));
  expect(named.toSorted()).toEqual(ASVS_REQUIREMENTS.toSorted());
});

test('each says how it is met and by which test that is shown, or why not', () => {
  const open = requirements.filter(
    ({ cells: [, gist, how], proofs }) =>
      !gist || !how || proofs.length === 0 || !proofs.every((proof) => isReference(proof) || REASON.test(proof)),
  );
  expect(open).toEqual([]);
});

test('each attack says what was expected and by which test it is tried', () => {
  expect(attacks.length).toBeGreaterThan(10);
  expect(attacks.filter(({ cells, proofs }) => cells.length !== 2 || !proofs.every(isReference))).toEqual([]);
});

test('every test that docs/SECURITY.md names exists and is run', async () => {
  const references = [...requirements, ...attacks].flatMap(({ proofs }) => proofs).filter(isReference);
  expect(references.length).toBeGreaterThan(150);
  expect(await missingTests(references)).toEqual([]);
});
