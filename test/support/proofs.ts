import { readFile } from 'node:fs/promises';
import { testNames } from './test-names.ts';

/** `` `file` › describes › name ``. */
const REFERENCE = /^`(?<file>(?:src|test)\/[^`]+\.(?:test\.tsx?|spec\.ts))` › (?<name>.+)$/;

export const isReference = (proof: string): boolean => REFERENCE.test(proof);

/** A row of an evidence table. Its last cell names the tests. */
export interface ProofRow {
  /** The level-2 heading above the table. */
  section: string;
  /** All cells except the last. */
  cells: string[];
  proofs: string[];
}

/** Returns the rows of all tables on a page, without header rows. */
export function proofRows(page: string): ProofRow[] {
  let section = '';
  const lines = page.split('\n');
  return lines.flatMap((line, number): ProofRow[] => {
    if (line.startsWith('## ')) section = line.slice(3);
    const isHead = lines[number + 1]?.startsWith('| ---') || line.startsWith('| ---');
    if (!line.startsWith('| ') || isHead) return [];
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
    const [proofs = '', ...others] = cells.slice(1, -1).toReversed();
    return [{ section, cells: others.toReversed(), proofs: proofs.split('<br>').filter(Boolean) }];
  });
}

/** Returns the references whose file has no such test, or skips it. */
export async function missingTests(references: readonly string[]): Promise<string[]> {
  const files = new Map<string, string[]>();
  const missing: string[] = [];
  for (const reference of new Set(references)) {
    const { file = '', name = '' } = REFERENCE.exec(reference)?.groups ?? {};
    if (!files.has(file)) files.set(file, testNames(file, await read(file).catch(() => '')));
    if (!files.get(file)?.includes(name)) missing.push(reference);
  }
  return missing;
}

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
