import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
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
  try {
    const json = await readText(join(folder, `${name}.json`));
    if (json === null) return { row: merge(guessRecordingRow(name), await findCsvRow(folder, name)) };
    return readJsonRow(name, json);
  } catch (error) {
    if (error instanceof LinkError) return { reason: error.message };
    throw error;
  }
}

function readJsonRow(name: string, json: string): { row: RecordingRow } | { reason: string } {
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

/** Fails for a link, and does not wait for the writer of a pipe. */
export const READ_FILE = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

class LinkError extends Error {}

/**
 * Returns null for anything but a file. Reading a pipe, for example, would never end.
 * @throws LinkError for a link, which may point to any file that this process can read
 */
async function readText(path: string): Promise<string | null> {
  await using file = await open(path, READ_FILE).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ELOOP') throw new LinkError(`${basename(path)} is a link. Replace it with a file.`);
    return null;
  });
  if (!file) return null;
  const found = await file.stat();
  return found.isFile() && found.size <= MAX_TEXT_BYTES ? decodeText(await file.readFile()) : null;
}

const merge = (guessed: RecordingRow, given: RecordingRow | undefined): RecordingRow => ({
  ...guessed,
  ...Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== '')),
});
