import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import Papa from 'papaparse';
import { decodeText } from '#contracts/rules/decode-text.ts';
import {
  fileKey,
  guessDelimiter,
  guessRecordingRow,
  type RecordingRow,
  readRecordingRow,
  readRecordingTable,
} from '#contracts/rules/recording-rows.ts';

/**
 * Reads the details of a recording from `<name>.json`, else from the row of a CSV file that names
 * it. Missing details come from the file name.
 */
export async function readFolderRow(folder: string, name: string): Promise<{ row: RecordingRow } | { reason: string }> {
  const json = await readText(join(folder, `${name}.json`));
  if (json === null) return { row: merge(guessRecordingRow(name), await findCsvRow(folder, name)) };
  try {
    return { row: merge(guessRecordingRow(name), readRecordingRow(Object.entries(Object(JSON.parse(json))))) };
  } catch {
    return { reason: `${name}.json is not valid JSON.` };
  }
}

async function findCsvRow(folder: string, name: string): Promise<RecordingRow | undefined> {
  for (const file of (await readdir(folder)).filter((other) => /^[^.].*\.csv$/i.test(other)).toSorted()) {
    const text = (await readText(join(folder, file))) ?? '';
    const rows = readRecordingTable(Papa.parse<string[]>(text, { delimiter: guessDelimiter(text) }).data) ?? [];
    const found = rows.find(({ row }) => fileKey(row.fileName) === fileKey(name));
    if (found) return found.row;
  }
  return undefined;
}

/** Longer tables are not read. */
const MAX_TEXT_BYTES = 32 * 2 ** 20;

/** Returns null for anything but a file. Reading a pipe, for example, would never end. */
async function readText(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile() || found.size > MAX_TEXT_BYTES) return null;
  return decodeText(await readFile(path));
}

const merge = (guessed: RecordingRow, given: RecordingRow | undefined): RecordingRow => ({
  ...guessed,
  ...Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== '')),
});
