import type { NewLogEntry } from '#server/features/logs/logs.service.ts';
import type { FileKind } from '#server/ports/file-store.ts';

export const virusFoundEntry = (file: { interviewId: string; kind: FileKind }, virus: string): NewLogEntry => ({
  type: 'error',
  action: 'virus-found',
  status: 'error',
  summary: `Virus found in the ${file.kind} of interview ${file.interviewId} (${virus}). The file was deleted.`,
  metadata: { interviewId: file.interviewId, kind: file.kind, virus },
});
