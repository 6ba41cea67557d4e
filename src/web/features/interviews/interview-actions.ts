import { useQueryClient } from '@tanstack/react-query';
import type { Interview } from '#contracts/interviews.ts';
import { reloadInterviews, removeInterview } from '#web/features/interviews/interviews-cache.ts';
import {
  archiveInterview,
  getSummary,
  getTranscript,
  saveSummary,
  saveTranscript,
  setDestination,
  unarchiveInterview,
} from '#web/lib/api.ts';
import type { ApiError } from '#web/lib/api-error.ts';
import { toast } from '#web/lib/toast.tsx';
import { useAction } from '#web/lib/use-action.ts';

const failed =
  (what: string, title = 'Error') =>
  (error: ApiError) =>
    toast({ title, description: `Failed to ${what}: ${error.message}`, variant: 'destructive' });

/** The interview leaves the list at once; the toast takes it back. */
export function useArchive() {
  const client = useQueryClient();
  const undo = useAction(unarchiveInterview, {
    onSuccess: () => {
      toast({ title: 'Interview Restored' });
      reloadInterviews(client);
    },
    onError: failed('restore interview'),
  });
  return useAction(archiveInterview, {
    onStart: ({ params }) => removeInterview(client, params.id),
    onSuccess: (_answer, { params }) => {
      toast({
        title: 'Interview Archived',
        description: 'It will not be updated on future syncs.',
        action: { label: 'Undo', onClick: () => undo.mutate({ params }) },
        // There is no other way back.
        duration: 10_000,
      });
      reloadInterviews(client);
    },
    onError: (error) => {
      failed('archive interview', 'Archive Failed')(error);
      reloadInterviews(client);
    },
  });
}

/** Section 4 of the specification: Delete only says so and reads the list again; no call is made. */
export function useDelete() {
  const client = useQueryClient();
  return (interview: Interview) => {
    toast({ title: 'Interview Deleted', description: `"${interview.title}" can be restored on the next sync.` });
    reloadInterviews(client);
  };
}

interface Done {
  onDone: () => void;
}

export function useSaveTranscript({ onDone }: Done) {
  const client = useQueryClient();
  return useAction(saveTranscript, {
    onSuccess: () => {
      toast({ title: 'Transcript Updated' });
      reloadInterviews(client);
      onDone();
    },
    onError: (error) => {
      failed('update transcript')(error);
      if (error.code === 'text_changed') client.invalidateQueries({ queryKey: [getTranscript.path] });
    },
  });
}

export function useSaveSummary({ onDone }: Done) {
  const client = useQueryClient();
  return useAction(saveSummary, {
    onSuccess: () => {
      toast({ title: 'Summary Updated' });
      reloadInterviews(client);
      onDone();
    },
    onError: (error) => {
      failed('update summary')(error);
      if (error.code === 'text_changed') client.invalidateQueries({ queryKey: [getSummary.path] });
    },
  });
}

export function useSetDestination({ onDone }: Done) {
  const client = useQueryClient();
  return useAction(setDestination, {
    onSuccess: () => {
      toast({ title: 'Destination Updated' });
      reloadInterviews(client);
      onDone();
    },
    onError: failed('update destination'),
  });
}
