import { useQueryClient } from '@tanstack/react-query';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { toast, toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { useActivateFunnel, useFunnelCache, useOutcome, useReloadFunnels } from './activate-funnel.ts';

// Only some pages use these actions: the first page loads activate-funnel.ts alone.

/** Longer than usual, because refreshes need an active funnel. */
const SET_ACTIVE_DURATION_MS = 15_000;

/** While no funnel is active, the toast offers to activate the new one. */
export function useCreateFunnel(onDone: () => void) {
  const success = { title: 'Funnel created', description: 'New funnel has been created successfully.' };
  const { succeed, onError } = useOutcome('create', success, onDone);
  const queryClient = useQueryClient();
  const activate = useActivateFunnel();
  return useAction('POST /api/funnels', {
    onError,
    onSuccess: ({ id }) => {
      const known = queryClient.getQueryData(endpointQuery('/api/funnels').queryKey);
      const canRefresh = known?.some(({ isActive }) => isActive) ?? true;
      if (canRefresh) return succeed();
      const action = { label: 'Set Active', onClick: () => activate.mutate({ params: { id } }) };
      succeed({ action, duration: SET_ACTIVE_DURATION_MS });
    },
  });
}

export function useUpdateFunnel(onDone: () => void) {
  const success = { title: 'Funnel updated', description: 'Funnel has been updated successfully.' };
  return useAction('PUT /api/funnels/:id', useOutcome('update', success, onDone));
}

/**
 * Returns a function that records that a stored key is shown. It resolves with false on failure.
 */
export function useRevealApiKey(id: number) {
  const { mutateAsync } = useAction('POST /api/funnels/:id/reveal-api-key', {
    onError: toastFailure("Couldn't show the API key"),
  });
  return () =>
    mutateAsync({ params: { id } }).then(
      // Null when the session has expired.
      (response) => response !== null,
      () => false,
    );
}

export function useDeleteFunnel(onDone: () => void) {
  const changeCache = useFunnelCache();
  const success = { title: 'Funnel deleted', description: 'Funnel has been deleted successfully.' };
  const { succeed, onError } = useOutcome('delete', success, onDone);
  return useAction('DELETE /api/funnels/:id', {
    onError,
    onSuccess: ({ publishedVideos }, { params }) => {
      changeCache((funnels) => funnels.filter((funnel) => funnel.id !== Number(params.id)));
      succeed({ note: describeRemoval(publishedVideos) });
    },
  });
}

function describeRemoval(publishedVideos: number): string {
  if (publishedVideos === 0) return '';
  return ` ${publishedVideos} published ${publishedVideos === 1 ? 'video is' : 'videos are'} being removed.`;
}

/** Also starts a refresh in the background. */
export function useResumeAutomation() {
  const reload = useReloadFunnels();
  return useAction('POST /api/funnels/:id/resume', {
    onSuccess: ({ message }) => {
      toast({ title: 'Refresh Started', description: message });
      reload();
    },
    onError: ({ message }) => toast({ title: 'Refresh Failed', description: message, variant: 'destructive' }),
  });
}
