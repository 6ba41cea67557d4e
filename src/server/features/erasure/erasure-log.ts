import type { EventData } from '#contracts/events.ts';
import type { NewLogEntry } from '#server/events/events.ts';

/** Contains nothing that identifies an erased candidate, not even the URL of the video. */
export const removalRefusedEntry = ({ reason, isErased, url }: EventData<'video-removal.refused'>): NewLogEntry => ({
  action: 'remove-published-video',
  status: 'error',
  summary: `The published video of ${isErased ? 'an erased candidate' : 'a deleted interview'} could not be deleted. Delete it at the video host.`,
  details: { error: reason, ...(!isErased && { videoUrl: url }) },
});
