import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { useMarkUnwatched } from '#web/features/interviews/interview-actions.ts';
import { patchInterview } from '#web/features/interviews/interviews-cache.ts';
import { logError } from '#web/lib/log.ts';
import { toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';

/** Stores which interviews the user has watched. */
export function useWatchedMarks() {
  const queryClient = useQueryClient();
  /** The marks that were sent, by interview. They count before the list is updated. */
  const [sent] = useState(() => new Map<string, boolean>());
  const [isAsked] = useState(() => new Set<string>());
  const undoMark = useMarkUnwatched(() => {});
  const markUnwatched = useMarkUnwatched();
  const { mutate } = useAction('POST /api/interviews/:id/watched', {
    onSuccess: (_response, { params: { id } }) => {
      patchInterview(queryClient, id, () => ({ watched: true }));
      queryClient.invalidateQueries({ queryKey: ['/api/review'] });
    },
    onError: (error, { params: { id } }) => {
      sent.delete(id);
      if (isAsked.has(id)) toastFailure('Failed to mark as reviewed')(error);
      else logError('Failed to remember a watched interview', error);
    },
  });
  const send = (id: string) => {
    sent.set(id, true);
    mutate({ params: { id } });
  };
  return {
    /**
     * Marks an interview once playback is near its end; idempotent. An interview that the user
     * marked as unwatched in this player stays unwatched.
     */
    markPlayed: ({ id, watched }: Interview) => {
      if (!watched && !sent.has(id)) send(id);
    },
    /** Marks an interview at the user's request. Returns false if it is already marked. */
    markReviewed: ({ id, watched }: Interview): boolean => {
      if (sent.get(id) ?? watched) return false;
      isAsked.add(id);
      send(id);
      return true;
    },
    isWatched: ({ id, watched }: Interview): boolean => sent.get(id) ?? watched,
    markUnwatched: (interview: Interview) => {
      sent.set(interview.id, false);
      markUnwatched(interview);
    },
    /** Shows no message. */
    undoMark: (interview: Interview) => {
      sent.set(interview.id, false);
      undoMark(interview);
    },
  };
}
