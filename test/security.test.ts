import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ASVS_REQUIREMENTS } from './support/asvs-requirements.ts';
import { isReference, missingTests, proofRows } from './support/proofs.ts';

const rowsOf = async (name: string) =>
  proofRows(await readFile(new URL(`../docs/evidence/${name}`, import.meta.url), 'utf8'));
const attacks = await rowsOf('ATTACKS.md');
const requirements = (await rowsOf('ASVS.md')).filter(({ cells: [ids = ''] }) => /^\d+\.\d+\.\d+/.test(ids));
/** The reason that a requirement is not met or not applicable. */
const REASON = /^(?:n\/a|not met): .{10,}$/;

test('every requirement of the ASVS 5.0, level 1 and 2, is listed in docs/evidence/ASVS.md once', () => {
  const named = requirements.flatMap(({ cells: [ids = ''] }) => ids.split(', '));
  expect(named.toSorted()).toEqual(ASVS_REQUIREMENTS.toSorted());
});

test('every requirement names a test that shows it, or a reason', () => {
  const open = requirements.filter(
    ({ cells: [, gist], proofs }) =>
      !gist || proofs.length === 0 || !proofs.every((proof) => isReference(proof) || REASON.test(proof)),
  );
  expect(open).toEqual([]);
});

test('no program is started through a shell, and no check of a certificate is turned off', async () => {
  const server = new URL('../src/server/', import.meta.url);
  const files = (await readdir(server, { recursive: true })).filter((file) => /(?<!\.test)\.(ts|mjs)$/.test(file));
  const found: string[] = [];
  for (const file of files) {
    const text = await readFile(new URL(file, server), 'utf8');
    const [, started = ''] = /import \{([^}]*)\} from 'node:child_process'/.exec(text) ?? [];
    const dangerous = [/\bexec(?:Sync)?\b/.exec(started), /\bshell:|rejectUnauthorized|TLS_REJECT/.exec(text)];
    found.push(...dangerous.flatMap((hit) => (hit ? [`${file}: ${hit[0]}`] : [])));
  }
  expect(files.length).toBeGreaterThan(100);
  expect(found).toEqual([]);
});

test('every attack names a test', () => {
  expect(attacks.length).toBeGreaterThan(10);
  expect(attacks.filter(({ cells, proofs }) => cells.length !== 1 || !proofs.every(isReference))).toEqual([]);
});

test('every test that ASVS.md and ATTACKS.md name exists and is run', async () => {
  const references = [...requirements, ...attacks].flatMap(({ proofs }) => proofs).filter(isReference);
  expect(references.length).toBeGreaterThan(150);
  expect(await missingTests(references)).toEqual([]);
});
