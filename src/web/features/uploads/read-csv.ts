import Papa from 'papaparse';
import { type RecordingRow, readRecordingRow } from '#contracts/rules/recording-rows.ts';

/** Reads a CSV file with a heading for each column. Returns the rows that name a file. */
export async function readCsv(file: Blob): Promise<RecordingRow[]> {
  const { data } = Papa.parse<Record<string, unknown>>(await file.text(), { header: true, skipEmptyLines: true });
  return data.map(readRecordingRow).filter(({ fileName }) => fileName !== '');
}
