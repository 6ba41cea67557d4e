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

/**
 * Reads a row of a table. `cells` maps headings to values, as in a CSV or JSON file. Unknown
 * headings are ignored.
 */
export function readRecordingRow(cells: Readonly<Record<string, unknown>>): RecordingRow {
  const row: RecordingRow = { fileName: '', candidateName: '', candidateEmail: '', title: '', recordedDate: '' };
  for (const [heading, value] of Object.entries(cells)) {
    const name = heading.toLowerCase().replace(/[^a-z]/g, '');
    const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (field && (typeof value === 'string' || typeof value === 'number')) row[field] = String(value).trim();
  }
  return row;
}

/** The problems of a row by field; empty when there are none. */
export type RowProblems = Partial<Record<keyof RecordingDetails, string>>;

const ISO_DATE = /^\d{4}-\d{2}-\d{2}/;

/** Accepts days and moments as dates. A day means midnight UTC. */
export function validateRecordingRow(
  row: Omit<RecordingRow, 'fileName'>,
): { details: RecordingDetails } | { problems: RowProblems } {
  const date = row.recordedDate === '' ? null : new Date(row.recordedDate);
  // JavaScript also reads 01.03.2026, as the third of January.
  const isDate = date === null || (ISO_DATE.test(row.recordedDate) && !Number.isNaN(date.getTime()));
  const parsed = RecordingDetails.safeParse({ ...row, recordedDate: isDate ? (date?.toISOString() ?? null) : null });
  const problems: RowProblems = isDate ? {} : { recordedDate: 'must be a date, such as 2026-03-01' };
  for (const { path, message } of parsed.error?.issues ?? []) problems[path[0] as keyof RecordingDetails] ??= message;
  return parsed.success && isDate ? { details: parsed.data } : { problems };
}

/** The name of a file without its folder and extension. */
const bareName = (fileName: string) => fileName.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '');

const DATE = /(?<!\d)(\d{4})[-_.](\d{2})[-_.](\d{2})(?!\d)/;
/**
 * Guesses the details from a file name such as `Dana Moore - Nurse 2026-03-01.mp4`: the name, then
 * the title, and a date and an email anywhere.
 */
export function guessRecordingRow(fileName: string): RecordingRow {
  const bare = bareName(fileName);
  const [, year, month, day] = DATE.exec(bare) ?? [];
  const words = bare
    .replace(DATE, ' ')
    .split(/[\s()[\],;]+/)
    .filter((word) => word !== '');
  const candidateEmail = words.find(isEmail) ?? '';
  const texts = words.filter((word) => word !== candidateEmail).map((word) => word.replaceAll('_', ' ').trim());
  const [candidateName = '', ...rest] = texts
    .join(' ')
    .split(/ [-–—](?: |$)/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== '-');
  const recordedDate = year && month && day ? `${year}-${month}-${day}` : '';
  return { fileName, candidateName, candidateEmail, title: rest.join(' – '), recordedDate };
}

const isEmail = (word: string): boolean => word.indexOf('@') > 0 && word.lastIndexOf('.') > word.indexOf('@') + 1;

/** File names are compared without their folder and without regard to case. */
export const fileKey = (fileName: string): string =>
  fileName
    .replace(/^.*[\\/]/, '')
    .normalize('NFC')
    .toLowerCase();
