import { expect, test } from 'vitest';
import { guessRecordingRow, readRecordingTable, validateRecordingRow } from './recording-rows.ts';

const NOTHING = { candidateName: 'Ada', candidateEmail: '', title: '', recordedDate: '' };

test.each(['2026-02-31', '2026-13-01', '01.03.2026', '2026-03', '0000-01-01', '2026-03-01T25:00:00Z'])(
  'the date %s is rejected',
  (recordedDate) => {
    expect(validateRecordingRow({ ...NOTHING, recordedDate })).toHaveProperty('problems.recordedDate');
  },
);

test('a date means its noon, and a date with a time means that time', () => {
  for (const [recordedDate, expected] of [
    ['2024-02-29', new Date('2024-02-29T12:00').toISOString()],
    ['2026-03-01T23:30:00-05:00', '2026-03-02T04:30:00.000Z'],
  ] as const)
    expect(validateRecordingRow({ ...NOTHING, recordedDate })).toMatchObject({ details: { recordedDate: expected } });
});

test('digits of a file name that are not a date belong to its title', () => {
  expect(guessRecordingRow('Ola - Case 1234-56-78.mp4')).toMatchObject({ title: 'Case 1234-56-78', recordedDate: '' });
  expect(guessRecordingRow('Ola - Cook 2026_03_01.mp4')).toMatchObject({ title: 'Cook', recordedDate: '2026-03-01' });
});

test('of several columns with a detail, the first one with a value is used', () => {
  const table = [
    [''],
    ['File', 'Name', 'Name', 'E-mail', 'Email', '__proto__'],
    ['a.mp4', '', 'Lea', 'l@x.example', ''],
  ];
  expect(readRecordingTable(table)).toEqual([
    {
      number: 3,
      row: { fileName: 'a.mp4', candidateName: 'Lea', candidateEmail: 'l@x.example', title: '', recordedDate: '' },
      isTooLong: false,
    },
  ]);
  expect(readRecordingTable([['Name'], ['Lea']])).toBeNull();
  expect(readRecordingTable([])).toBeNull();
});
