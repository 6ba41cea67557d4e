import { readdir, readFile } from 'node:fs/promises';
import { testNames } from './test-names.ts';

/** `` `file` › name ``. The file is a name that is unique, or a path. */
const REFERENCE = /^`(?<file>[^`]+\.(?:test\.tsx?|spec\.ts))` › (?<name>.+)$/;
const ROOT = new URL('../../', import.meta.url);

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
    return [{ section, cells: others.toReversed(), proofs: splitProofs(proofs) }];
  });
}

/** In `` `file` › name<br>› other name ``, both tests are in the same file. */
function splitProofs(cell: string): string[] {
  let file = '';
  return cell.split('<br>').flatMap((proof) => {
    file = REFERENCE.exec(proof)?.groups?.file ?? file;
    if (proof === '') return [];
    return [proof.startsWith('› ') ? `\`${file}\` ${proof}` : proof];
  });
}

/**
 * Returns the references whose file has no such test, or skips it. A name may omit the outer
 * describes.
 */
export async function missingTests(references: readonly string[]): Promise<string[]> {
  const files = await testFiles();
  const names = new Map<string, string[]>();
  const missing: string[] = [];
  for (const reference of new Set(references)) {
    const { file = '', name = '' } = REFERENCE.exec(reference)?.groups ?? {};
    const [path, ...others] = files.filter((one) => one === file || one.endsWith(`/${file}`));
    if (!path || others.length > 0) missing.push(reference);
    else {
      if (!names.has(path)) names.set(path, testNames(path, await readFile(new URL(path, ROOT), 'utf8')));
      if (!names.get(path)?.some((one) => one === name || one.endsWith(` › ${name}`))) missing.push(reference);
    }
  }
  return missing;
}

async function testFiles(): Promise<string[]> {
  const folders = ['src', 'test'];
  const found = await Promise.all(folders.map((folder) => readdir(new URL(`${folder}/`, ROOT), { recursive: true })));
  const paths = folders.flatMap((folder, index) => (found[index] ?? []).map((path) => `${folder}/${path}`));
  return paths.map((path) => path.replaceAll('\\', '/'));
}
