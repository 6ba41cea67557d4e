import type { EventData } from '#contracts/events.ts';
import type { NewLogEntry } from '#server/events/events.ts';
import { shortTitle } from '#server/events/log-texts.ts';

export const uploadedEntry = ({ title, ...metadata }: EventData<'upload.added'>): NewLogEntry => ({
  action: 'upload-recording',
  summary: `Recording uploaded: ${shortTitle(title)}.`,
  metadata,
});

export const canceledUploadEntry = (metadata: EventData<'upload.canceled'>): NewLogEntry => ({
  action: 'cancel-upload',
  status: 'info',
  summary: 'The upload of a recording was canceled.',
  metadata,
});

export const idleUploadsEntry = ({ interviewIds: ids }: EventData<'uploads.expired'>): NewLogEntry => ({
  action: 'cancel-upload',
  status: 'warning',
  summary: `${ids.length === 1 ? 'An upload' : `${ids.length} uploads`} without progress for a day ${ids.length === 1 ? 'was' : 'were'} deleted, because space for uploads is short.`,
  metadata: { interviewIds: ids },
});

export const refusedUploadEntry = ({ reason, ...metadata }: EventData<'upload.refused'>): NewLogEntry => ({
  action: 'refuse-upload',
  status: 'error',
  summary: `An uploaded recording was rejected. ${reason}`,
  metadata,
});

export const uploadFolderEntry = ({ problem }: EventData<'upload-folder.changed'>): NewLogEntry => ({
  action: 'upload-folder',
  status: problem === null ? 'info' : 'error',
  summary: problem ?? 'Recordings are taken in from UPLOAD_FOLDER again.',
});
