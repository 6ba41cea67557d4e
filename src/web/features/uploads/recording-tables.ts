import Papa from 'papaparse';
import { decodeText } from '#contracts/rules/decode-text.ts';
import {
  fileKey,
  guessDelimiter,
  guessRecordingRow,
  type RecordingRow,
  readRecordingTable,
  validateRecordingRow,
} from '#contracts/rules/recording-rows.ts';

/** Larger files would block the page for seconds. */
const MAX_TABLE_BYTES = 10 * 2 ** 20;

interface PlacedRow {
  row: RecordingRow;
  /** The name of the table and the number of the row. */
  place: string;
}

export interface RecordingTables {
  /** The row of each recording, by `fileKey`. */
  rows: Map<string, PlacedRow>;
  /** Sentences for the user. */
  problems: string[];
}

/** Reads CSV files. Each row contains the details of the recording that it names. */
export async function readRecordingTables(files: readonly File[]): Promise<RecordingTables> {
  const tables: RecordingTables = { rows: new Map(), problems: [] };
  for (const file of files) await readInto(tables, file);
  return tables;
}

async function readInto({ rows, problems }: RecordingTables, file: File): Promise<void> {
  if (file.size > MAX_TABLE_BYTES) {
    problems.push(`${file.name} is larger than ${MAX_TABLE_BYTES / 2 ** 20} MB. Split it into smaller files.`);
    return;
  }
  const bytes = await file.arrayBuffer().catch(() => null);
  const text = bytes ? decodeText(new Uint8Array(bytes)) : '';
  const { data, errors } = Papa.parse<string[]>(text, { delimiter: guessDelimiter(text) });
  const table = readRecordingTable(data);
  if (!bytes) problems.push(`${file.name} can't be read. Choose it again.`);
  else if (!table) problems.push(`${file.name} has no column "file". Add one with the names of the recordings.`);
  const place = (row: number) => `${file.name}, row ${row}`;
  for (const { type, row } of errors)
    if (type === 'Quotes' && row !== undefined) problems.push(`${place(row + 1)}: a quotation mark is misplaced.`);
  for (const { number, row, isTooLong } of table ?? []) {
    const key = fileKey(row.fileName);
    if (isTooLong) problems.push(`${place(number)} has more values than there are headings.`);
    if (rows.has(key)) problems.push(`${place(number)}: ${row.fileName} has an earlier row, which is used.`);
    else rows.set(key, { row, place: place(number) });
  }
}

const COLUMNS = { candidateName: 'name', candidateEmail: 'email', title: 'title', recordedDate: 'date' } as const;

/** Sentences about the values of a row that a recording cannot have. */
export function problemsOfRow({ row, place }: PlacedRow): string[] {
  const candidateName = row.candidateName || guessRecordingRow(row.fileName).candidateName;
  const validated = validateRecordingRow({ ...row, candidateName });
  const problems = 'problems' in validated ? validated.problems : {};
  return Object.entries(problems).map(
    ([field, problem]) => `${place}: ${COLUMNS[field as keyof typeof COLUMNS]} ${problem}.`,
  );
}
