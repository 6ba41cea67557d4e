import { RecordingDetails } from '#contracts/uploads.ts';

/** A recording as described in the cells of a table, before validation. */
export interface RecordingRow {
  fileName: string;
  candidateName: string;
  candidateEmail: string;
  title: string;
  recordedDate: string;
}

type Field = keyof RecordingRow;

/** Headings in lower case without spaces and punctuation. */
const FIELDS: Record<string, Field> = {
  file: 'fileName',
  filename: 'fileName',
  candidate: 'candidateName',
  candidatename: 'candidateName',
  name: 'candidateName',
  candidateemail: 'candidateEmail',
  email: 'candidateEmail',
  title: 'title',
  date: 'recordedDate',
  recorded: 'recordedDate',
  recordeddate: 'recordedDate',
};

function fieldOf(heading: string): Field | undefined {
  const name = heading.toLowerCase().replace(/[^a-z]/g, '');
  return Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
}

/**
 * Reads headings with their values, as in a JSON file. Unknown headings are ignored. Of several
 * headings of a field, the first one with a value is used.
 */
export function readRecordingRow(cells: Iterable<readonly [heading: string, value: unknown]>): RecordingRow {
  const row: RecordingRow = { fileName: '', candidateName: '', candidateEmail: '', title: '', recordedDate: '' };
  for (const [heading, value] of cells) {
    const field = fieldOf(heading);
    if (!field || row[field] !== '') continue;
    if (typeof value === 'string' || typeof value === 'number') row[field] = String(value).trim();
  }
  return row;
}

/** Returns the delimiter that the first line with values, the headings, contains most often. */
export function guessDelimiter(text: string): string {
  const [headings = ''] = text
    .trimStart()
    .slice(0, MAX_HEADINGS_LENGTH)
    .split(/[\r\n]/, 1);
  const counts = DELIMITERS.map((delimiter) => headings.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

const DELIMITERS = [',', ';', '\t', '|'];
const MAX_HEADINGS_LENGTH = 10_000;

/** A row of a table that names a file. */
interface TableRow {
  /** Counted as in a spreadsheet: the first row is 1. */
  number: number;
  row: RecordingRow;
  /** The row has values without a heading, so they may be in the wrong columns. */
  isTooLong: boolean;
}

/**
 * Reads a table whose first row with values contains the headings. Returns null without a
 * column of file names.
 */
export function readRecordingTable(table: readonly (readonly string[])[]): TableRow[] | null {
  const start = table.findIndex(hasValue);
  const headings = table[start] ?? [];
  if (!headings.some((heading) => fieldOf(heading) === 'fileName')) return null;
  return table.slice(start + 1).flatMap((cells, index) => {
    const row = readRecordingRow(headings.map((heading, column) => [heading, cells[column]]));
    const isTooLong = hasValue(cells.slice(headings.length));
    return row.fileName === '' ? [] : [{ number: start + index + 2, row, isTooLong }];
  });
}

const hasValue = (cells: readonly string[]) => cells.some((cell) => cell.trim() !== '');

/** The problems of a row by field; empty when there are none. */
export type RowProblems = Partial<Record<keyof RecordingDetails, string>>;

/** True when the text begins with a day such as 2026-03-01. JavaScript reads 02-31 as March 3. */
function isDay(text: string): boolean {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0] ?? '';
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/**
 * Accepts days and moments as dates. A day means noon here: midnight would be the day before for
 * readers farther west.
 */
export function validateRecordingRow(
  row: Omit<RecordingRow, 'fileName'>,
): { details: RecordingDetails } | { problems: RowProblems } {
  const date = row.recordedDate === '' ? null : new Date(row.recordedDate.replace(/^[\d-]{10}$/, '$&T12:00'));
  // JavaScript also reads 01.03.2026, as the third of January.
  const isDate = date === null || (isDay(row.recordedDate) && !Number.isNaN(date.getTime()));
  const parsed = RecordingDetails.safeParse({ ...row, recordedDate: isDate ? (date?.toISOString() ?? null) : null });
  const problems: RowProblems = isDate ? {} : { recordedDate: 'must be a date, such as 2026-03-01' };
  for (const { path, message } of parsed.error?.issues ?? []) problems[path[0] as keyof RecordingDetails] ??= message;
  return parsed.success && isDate ? { details: parsed.data } : { problems };
}

/** The name of a file without its folder and extension. */
const bareName = (fileName: string) => fileName.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '');

const DATE = /(?<!\d)(\d{4})[-_.](\d{2})[-_.](\d{2})(?!\d)/;
/** Two to four words that begin with a capital letter, without digits, such as `Anna Müller`. */
const PERSON = /^\p{Lu}[^\s\d]*(?: (?:(?:van|von|de|del|da|di|bin|al) )*\p{Lu}[^\s\d]*){1,3}$/u;

/**
 * Guesses the details from a file name such as `Dana Moore - Nurse 2026-03-01.mp4`: the candidate's
 * name, the title, and a date and an email anywhere. The name is the first part that looks like
 * one; without such a part it is the first part.
 */
export function guessRecordingRow(fileName: string): RecordingRow {
  const bare = bareName(fileName);
  const [found = '', ...parts] = DATE.exec(bare) ?? [];
  const recordedDate = isDay(parts.join('-')) ? parts.join('-') : '';
  const words = bare
    .replace(recordedDate && found, ' ')
    .split(/[\s()[\],;]+/)
    .filter((word) => word !== '');
  const candidateEmail = words.find(isEmail) ?? '';
  const texts = words.filter((word) => word !== candidateEmail).map((word) => word.replaceAll('_', ' ').trim());
  const named = texts
    .join(' ')
    .split(/ [-–—](?: |$)/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== '-');
  const nameAt = Math.max(
    0,
    named.findIndex((part) => PERSON.test(part)),
  );
  const title = named.filter((_, at) => at !== nameAt).join(' – ');
  return { fileName, candidateName: named[nameAt] ?? '', candidateEmail, title, recordedDate };
}

const isEmail = (word: string): boolean => word.indexOf('@') > 0 && word.lastIndexOf('.') > word.indexOf('@') + 1;

/** File names are compared without their folder and without regard to case. */
export const fileKey = (fileName: string): string =>
  fileName
    .replace(/^.*[\\/]/, '')
    .normalize('NFC')
    .toLowerCase();
