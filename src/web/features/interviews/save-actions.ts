import { useQueryClient } from '@tanstack/react-query';
import type { ApiError } from '#web/lib/api-error.ts';
import type { ReadPath } from '#web/lib/endpoint-query.ts';
import { type ToastAction, toast, toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { reloadInterviews } from './interviews-cache.ts';

interface SaveOptions {
  onDone: () => void;
  /** The action in the toast. */
  next?: ToastAction | undefined;
}

interface Save {
  title: string;
  /** What a failure begins with. */
  failed: string;
  /** The text that is read again when another edit came first. */
  textPath?: ReadPath;
}

/** Shared by all saves: shows a toast, reloads the list, and calls `onDone`. */
function useSaveOutcome({ title, failed, textPath }: Save, { onDone, next }: SaveOptions) {
  const queryClient = useQueryClient();
  return {
    onSuccess: () => {
      toast({ title, ...(next && { action: next }) });
      reloadInterviews(queryClient);
      onDone();
    },
    onError: (error: ApiError) => {
      toastFailure(failed)(error);
      if (textPath && error.code === 'text_changed') queryClient.invalidateQueries({ queryKey: [textPath] });
    },
  };
}

export function useSaveTranscript(options: SaveOptions) {
  const textPath = '/api/interviews/:id/transcript';
  const save = { title: 'Transcript Updated', failed: 'Failed to update transcript', textPath } as const;
  return useAction('PUT /api/interviews/:id/transcript', useSaveOutcome(save, options));
}

export function useSaveSummary(options: SaveOptions) {
  const textPath = '/api/interviews/:id/summary';
  const save = { title: 'Summary Updated', failed: 'Failed to update summary', textPath } as const;
  return useAction('PUT /api/interviews/:id/summary', useSaveOutcome(save, options));
}

/** Long enough to compare its ids. */
const WARNING_MS = 15_000;

export function useSetDestination(options: SaveOptions) {
  const title = 'Destination Updated';
  const outcome = useSaveOutcome({ title, failed: 'Failed to update destination' }, options);
  return useAction('POST /api/interviews/:id/destination', {
    ...outcome,
    onSuccess: (saved) => {
      outcome.onSuccess();
      const { warning } = saved ?? {};
      if (warning) toast({ title, description: warning.text, variant: 'warning', duration: WARNING_MS });
    },
  });
}
