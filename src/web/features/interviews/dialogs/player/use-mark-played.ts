import { useRef } from 'react';
import { logError } from '#web/lib/log.ts';
import { useAction } from '#web/lib/use-action.ts';

/**
 * Returns a function that reports to the server that the video of the open interview plays. It
 * sends one request each time the player opens an interview, however often it is called.
 */
export function useMarkPlayed(id: string): () => void {
  const sentId = useRef<string | null>(null);
  const { mutate } = useAction('POST /api/interviews/:id/played', {
    // The server has recorded that the video was loaded.
    onError: (error) => logError('Failed to record that a video plays', error),
  });
  return () => {
    if (sentId.current === id) return;
    sentId.current = id;
    mutate({ params: { id } });
  };
}
