import type { Upload } from '#contracts/uploads.ts';
import type { UploadRow } from './uploads.repo.ts';

export const viewUpload = (row: UploadRow): Upload => ({
  id: row.id,
  funnelId: row.funnel_id,
  fileName: row.file_name,
  size: row.size_bytes,
  modifiedAt: row.modified_at.toISOString(),
  received: row.state === 'receiving' ? row.received_bytes : row.size_bytes,
  candidateName: row.candidate_name,
  candidateEmail: row.candidate_email,
  title: row.title,
  recordedDate: row.recorded_at?.toISOString() ?? null,
  state: row.state,
  problem: row.problem,
  duplicateOf: row.duplicate_of,
  createdAt: row.created_at.toISOString(),
});
