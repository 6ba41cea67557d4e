import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { afterResponses } from '#web/lib/after-responses.ts';
import { copyWithToast } from '#web/lib/export-text.ts';
import { toast, toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { patchInterview, reloadInterviews, removeInterview } from './interviews-cache.ts';

type NamedInterview = Pick<Interview, 'id' | 'title'>;

/** Moves an interview out of the shown list immediately. */
export function useUnarchive(): (interview: NamedInterview) => void {
  const queryClient = useQueryClient();
  const titles = useTitles();
  const { mutate } = useAction('POST /api/interviews/:id/unarchive', {
    onStart: ({ params }) => removeInterview(queryClient, params.id),
    onSuccess: (_response, { params }) => {
      toast({ title: 'Interview Restored', description: `"${titles.get(params.id)}" is back in the list.` });
      reloadInterviews(queryClient);
    },
    onError: (error) => {
      toastFailure('Failed to restore interview')(error);
      reloadInterviews(queryClient);
    },
  });
  return ({ id, title }) => {
    titles.set(id, title);
    mutate({ params: { id } });
  };
}

/**
 * Moves an interview to the archive immediately. The toast offers Undo, which calls `onUndo` as
 * well.
 */
export function useArchive(onUndo?: (id: string) => void): (interview: NamedInterview) => void {
  const queryClient = useQueryClient();
  const titles = useTitles();
  const undo = useUnarchive();
  const { mutate } = useAction('POST /api/interviews/:id/archive', {
    onStart: ({ params }) => removeInterview(queryClient, params.id),
    onSuccess: (_response, { params: { id } }) => {
      const title = titles.get(id) ?? '';
      toast({
        title: 'Interview Archived',
        description: `"${title}" will not be updated on future syncs.`,
        action: {
          label: 'Undo',
          onClick: () => {
            onUndo?.(id);
            undo({ id, title });
          },
        },
        duration: 10_000,
      });
      reloadInterviews(queryClient);
    },
    onError: (error) => {
      toastFailure('Failed to archive interview', 'Archive Failed')(error);
      reloadInterviews(queryClient);
    },
  });
  return ({ id, title }) => {
    titles.set(id, title);
    mutate({ params: { id } });
  };
}

/** Sets failed steps to not started. */
export function useDismissFailures(id: string): () => void {
  const queryClient = useQueryClient();
  const { mutate } = useAction('POST /api/interviews/:id/dismiss-failures', {
    onSuccess: () => reloadInterviews(queryClient),
    onError: toastFailure('Failed to dismiss the failure'),
  });
  return () => mutate({ params: { id } });
}

/**
 * Titles by id, for messages about interviews that the player no longer shows when the response
 * arrives.
 */
const useTitles = () => useState(() => new Map<string, string>())[0];

const MARK_WATCHED = ['POST /api/interviews/:id/watched'] as const;

/** Marks an interview as unwatched. `onDone` is called after each success. */
export function useMarkUnwatched(onDone = () => void toast({ title: 'Marked as unwatched' })) {
  const queryClient = useQueryClient();
  const { mutate } = useAction('DELETE /api/interviews/:id/watched', {
    onSuccess: (_response, { params: { id } }) => {
      patchInterview(queryClient, id, () => ({ watched: false }));
      reloadInterviews(queryClient);
      onDone();
    },
    onError: toastFailure('Failed to mark as unwatched'),
  });
  // A mark that is still being sent would arrive later.
  return ({ id }: NamedInterview) =>
    afterResponses(queryClient, { routes: MARK_WATCHED, id }, () => mutate({ params: { id } }));
}

export const copyInterviewLink = (id: string) =>
  copyWithToast(`${location.origin}/?${new URLSearchParams({ interview: id })}`, 'Link copied');

/** Section 4 of the specification: Delete shows a toast and reloads the list. It makes no call. */
export function useDelete() {
  const queryClient = useQueryClient();
  return (interview: Interview) => {
    toast({ title: 'Interview Deleted', description: `"${interview.title}" can be restored on the next sync.` });
    reloadInterviews(queryClient);
  };
}
