import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { patchInterview } from '#web/features/interviews/interviews-cache.ts';
import { logError } from '#web/lib/log.ts';
import { useAction } from '#web/lib/use-action.ts';

/** Stores that the user has watched an interview. Sends one request however often it is called. */
export function useMarkWatched(): (interview: Interview) => void {
  const queryClient = useQueryClient();
  const [sent] = useState(() => new Set<string>());
  const { mutate } = useAction('POST /api/interviews/:id/watched', {
    onSuccess: (_answer, { params: { id } }) => {
      patchInterview(queryClient, id, () => ({ watched: true }));
      queryClient.invalidateQueries({ queryKey: ['/api/review'] });
    },
    // It is sent again when the player opens again.
    onError: (error) => logError('Failed to remember a watched interview', error),
  });
  return (interview) => {
    if (interview.watched || sent.has(interview.id)) return;
    sent.add(interview.id);
    mutate({ params: { id: interview.id } });
  };
}
