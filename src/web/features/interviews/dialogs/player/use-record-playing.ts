import { useRef } from 'react';
import { logError } from '#web/lib/log.ts';
import { useAction } from '#web/lib/use-action.ts';

/** Shorter than the pause after which the server counts a new viewing. */
const REPORT_INTERVAL_MS = 10 * 60_000;
const RETRY_AFTER_MS = 30_000;

/**
 * Returns a function to be called while the video of the open interview plays, however often. It
 * reports the playing to the server immediately and every 10 minutes, and repeats a failed report
 * after half a minute.
 */
export function useRecordPlaying(id: string): () => void {
  const next = useRef({ id: '', at: 0 });
  const { mutate } = useAction('POST /api/interviews/:id/played', {
    onError: (error, { params }) => {
      if (next.current.id === params.id) next.current.at = performance.now() + RETRY_AFTER_MS;
      // The server has recorded that the video was loaded.
      logError('Failed to record that a video plays', error);
    },
  });
  return () => {
    const now = performance.now();
    if (next.current.id === id && now < next.current.at) return;
    next.current = { id, at: now + REPORT_INTERVAL_MS };
    mutate({ params: { id } });
  };
}
