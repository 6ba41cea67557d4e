import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Papa from 'papaparse';
import { fileKey, guessRecordingRow, type RecordingRow, readRecordingRow } from '#contracts/rules/recording-rows.ts';

/**
 * Reads the details of a recording from `<name>.json`, else from the row of a CSV file that names
 * it. Missing details come from the file name.
 */
export async function readFolderRow(folder: string, name: string): Promise<{ row: RecordingRow } | { reason: string }> {
  const json = await readFile(join(folder, `${name}.json`), 'utf8').catch(() => null);
  if (json === null) return { row: merge(guessRecordingRow(name), await findCsvRow(folder, name)) };
  try {
    return { row: merge(guessRecordingRow(name), readRecordingRow(Object(JSON.parse(json)))) };
  } catch {
    return { reason: `${name}.json is not valid JSON.` };
  }
}

async function findCsvRow(folder: string, name: string): Promise<RecordingRow | undefined> {
  for (const file of (await readdir(folder)).filter((other) => /^[^.].*\.csv$/i.test(other)).toSorted()) {
    const text = await readFile(join(folder, file), 'utf8');
    const { data } = Papa.parse<Record<string, unknown>>(text, { header: true, skipEmptyLines: true });
    const row = data.map(readRecordingRow).find(({ fileName }) => fileKey(fileName) === fileKey(name));
    if (row) return row;
  }
  return undefined;
}

const merge = (guessed: RecordingRow, given: RecordingRow | undefined): RecordingRow => ({
  ...guessed,
  ...Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== '')),
});
