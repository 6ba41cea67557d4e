import type { NewLogEntry } from '#server/features/logs/logs.service.ts';

export const removalRefusedEntry = (reason: string): NewLogEntry => ({
  type: 'error',
  action: 'remove-published-video',
  status: 'error',
  summary: 'The published video of an erased candidate could not be deleted. Delete it at the video host.',
  details: { error: reason },
});
