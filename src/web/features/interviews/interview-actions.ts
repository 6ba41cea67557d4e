import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { afterResponses } from '#web/lib/after-responses.ts';
import type { ApiError } from '#web/lib/api-error.ts';
import type { ReadPath } from '#web/lib/endpoint-query.ts';
import { copyWithToast } from '#web/lib/export-text.ts';
import { toast } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { patchInterview, reloadInterviews, removeInterview } from './interviews-cache.ts';

const showFailure =
  (action: string, title = 'Error') =>
  (error: ApiError) =>
    toast({ title, description: `Failed to ${action}: ${error.message}`, variant: 'destructive' });

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
      showFailure('restore interview')(error);
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
      showFailure('archive interview', 'Archive Failed')(error);
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
    onError: showFailure('dismiss the failure'),
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
    onError: showFailure('mark as unwatched'),
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

interface SaveOptions {
  onDone: () => void;
}

interface Save {
  title: string;
  action: string;
  /** The text that is read again when another edit came first. */
  textPath?: ReadPath;
}

/** Shared by all saves: shows a toast, reloads the list, and calls `onDone`. */
function useSaveOutcome({ title, action, textPath }: Save, { onDone }: SaveOptions) {
  const queryClient = useQueryClient();
  return {
    onSuccess: () => {
      toast({ title });
      reloadInterviews(queryClient);
      onDone();
    },
    onError: (error: ApiError) => {
      showFailure(action)(error);
      if (textPath && error.code === 'text_changed') queryClient.invalidateQueries({ queryKey: [textPath] });
    },
  };
}

export function useSaveTranscript(options: SaveOptions) {
  const textPath = '/api/interviews/:id/transcript';
  const save = { title: 'Transcript Updated', action: 'update transcript', textPath } as const;
  return useAction('PUT /api/interviews/:id/transcript', useSaveOutcome(save, options));
}

export function useSaveSummary(options: SaveOptions) {
  const textPath = '/api/interviews/:id/summary';
  const save = { title: 'Summary Updated', action: 'update summary', textPath } as const;
  return useAction('PUT /api/interviews/:id/summary', useSaveOutcome(save, options));
}

/** Long enough to compare its ids. */
const WARNING_MS = 15_000;

export function useSetDestination(options: SaveOptions) {
  const title = 'Destination Updated';
  const outcome = useSaveOutcome({ title, action: 'update destination' }, options);
  return useAction('POST /api/interviews/:id/destination', {
    ...outcome,
    onSuccess: (saved) => {
      outcome.onSuccess();
      const { warning } = saved ?? {};
      if (warning) toast({ title, description: warning.text, variant: 'warning', duration: WARNING_MS });
    },
  });
}
