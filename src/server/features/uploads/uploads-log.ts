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
