import type { Upload } from '#contracts/uploads.ts';

/** An unfinished upload that the server lists, with the fields of `part`. */
export const anUpload = (part: Partial<Upload> = {}): Upload => ({
  id: 'upload-1',
  funnelId: 1,
  fileName: 'Eve.mp4',
  size: 4_000_000,
  modifiedAt: '2026-11-20T08:00:00.000Z',
  received: 1_000_000,
  candidateName: 'Eve',
  candidateEmail: null,
  title: null,
  recordedDate: null,
  state: 'receiving',
  problem: null,
  duplicateOf: null,
  createdAt: '2026-11-20T08:00:00.000Z',
  ...part,
});

/** A CSV file with a row for `A.mp4`, and one for a recording that is not chosen. */
export const RECORDINGS_CSV =
  'File,Name,Email,Title,Date\nA.mp4,Cy Dane,cy@example.com,Cook,2026-10-05\nmissing.mp4,Nobody,,,\n';
