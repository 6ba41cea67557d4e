import { useQueryClient } from '@tanstack/react-query';
import type { Funnel } from '#contracts/funnels.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { useLive } from '#web/lib/live.ts';
import { type ToastAction, toast, toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { useReload } from '#web/lib/use-reload.ts';

/** Refetches the funnels, the active funnel, and the interviews, which show funnel names. */
export const useReloadFunnels = () =>
  useReload(
    '/api/funnels',
    '/api/automations',
    '/api/funnels/active',
    '/api/funnels/:id/scorecard',
    '/api/interviews',
    '/api/review',
    '/api/setup',
  );

/** Changes the cached list and returns a function that undoes the change. */
export function useFunnelCache() {
  const queryClient = useQueryClient();
  const { queryKey } = endpointQuery('/api/funnels');
  return (change: (funnels: Funnel[]) => Funnel[]) => {
    const before = queryClient.getQueryData(queryKey);
    // A pending read would bring the old list back.
    queryClient.cancelQueries({ queryKey });
    if (before) queryClient.setQueryData(queryKey, change(before));
    return () => queryClient.setQueryData(queryKey, before);
  };
}

/** Funnels are shared: changes by colleagues appear without a reload of the page. */
export function useFunnelMessages(): void {
  const reload = useReloadFunnels();
  useLive(({ type }) => {
    if (type === 'funnels-changed') reload();
  });
}

/** Shared by all changes: shows a toast, refetches, and calls `onDone`. */
export function useOutcome(action: string, success: { title: string; description: string }, onDone?: () => void) {
  const reload = useReloadFunnels();
  /** `note` is added to the description. */
  const succeed = ({ note = '', ...part }: { note?: string; action?: ToastAction; duration?: number } = {}) => {
    toast({ ...success, ...part, description: `${success.description}${note}` });
    reload();
    onDone?.();
  };
  return {
    succeed,
    onSuccess: () => succeed(),
    onError: toastFailure(`Failed to ${action} funnel`),
  };
}

/**
 * Updates the cache before the server responds: at most one funnel is active, so the outcome is
 * known.
 */
export function useActivateFunnel() {
  const changeCache = useFunnelCache();
  const reload = useReloadFunnels();
  const success = { title: 'Funnel activated', description: 'Funnel has been set as active.' };
  const outcome = useOutcome('activate', success);
  return useAction('POST /api/funnels/:id/activate', {
    ...outcome,
    onStart: ({ params }) =>
      changeCache((funnels) => funnels.map((funnel) => ({ ...funnel, isActive: funnel.id === Number(params.id) }))),
    onError: (error) => {
      outcome.onError(error);
      reload();
    },
  });
}
