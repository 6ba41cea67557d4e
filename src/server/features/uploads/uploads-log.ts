import { shortTitle } from '#server/features/interviews/interviews.service.ts';
import type { NewLogEntry } from '#server/features/logs/logs.service.ts';

interface UploadedRecording {
  id: string;
  title: string;
  funnelId: number;
}

export const uploadedEntry = ({ id, title, funnelId }: UploadedRecording): NewLogEntry => ({
  type: 'system',
  action: 'upload-recording',
  status: 'success',
  summary: `Recording uploaded: ${shortTitle(title)}.`,
  metadata: { interviewId: id, funnelId },
});

/** Contains no text about the candidate, because an erasure could not find it. */
export const canceledUploadEntry = ({ id, funnelId }: Omit<UploadedRecording, 'title'>): NewLogEntry => ({
  type: 'system',
  action: 'cancel-upload',
  status: 'info',
  summary: 'The upload of a recording was canceled.',
  metadata: { interviewId: id, funnelId },
});

export const idleUploadsEntry = (ids: readonly string[]): NewLogEntry => ({
  type: 'system',
  action: 'cancel-upload',
  status: 'warning',
  summary: `${ids.length === 1 ? 'An upload' : `${ids.length} uploads`} without progress for a day ${ids.length === 1 ? 'was' : 'were'} deleted, because space for uploads is short.`,
  metadata: { interviewIds: ids },
});

export const refusedUploadEntry = (
  { id, funnelId }: Omit<UploadedRecording, 'title'>,
  reason: string,
): NewLogEntry => ({
  type: 'error',
  action: 'refuse-upload',
  status: 'error',
  summary: `An uploaded recording was refused. ${reason}`,
  metadata: { interviewId: id, funnelId },
});

/** `problem` is null when the folder can be used again. */
export const uploadFolderEntry = (problem: string | null): NewLogEntry => ({
  type: problem === null ? 'system' : 'error',
  action: 'upload-folder',
  status: problem === null ? 'info' : 'error',
  summary: problem ?? 'Recordings are taken in from UPLOAD_FOLDER again.',
});
