import { useQueryClient } from '@tanstack/react-query';
import type { Funnel } from '#contracts/funnels.ts';
import type { ApiError } from '#web/lib/api-error.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { useLive } from '#web/lib/live.ts';
import { type ToastAction, toast } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';

/** Refetches the funnels, the active funnel, and the interviews, which show funnel names. */
export function useReloadFunnels() {
  const queryClient = useQueryClient();
  return () => {
    for (const path of [
      '/api/funnels',
      '/api/automations',
      '/api/funnels/active',
      '/api/funnels/:id/scorecard',
      '/api/interviews',
      '/api/review',
      '/api/setup',
    ] as const) {
      queryClient.invalidateQueries({ queryKey: [path] });
    }
  };
}

/** Changes the cached list and returns a function that undoes the change. */
function useFunnelCache() {
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

interface ChangeOptions {
  onDone: () => void;
}

/** Shared by all changes: shows a toast, refetches, and calls `onDone`. */
function useOutcome(action: string, success: { title: string; description: string }, onDone?: () => void) {
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
    onError: ({ message }: ApiError) =>
      toast({ title: 'Error', description: `Failed to ${action} funnel: ${message}`, variant: 'destructive' }),
  };
}

/** Longer than usual, because refreshes need an active funnel. */
const SET_ACTIVE_DURATION_MS = 15_000;

/** While no funnel is active, the toast offers to activate the new one. */
export function useCreateFunnel({ onDone }: ChangeOptions) {
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

export function useUpdateFunnel({ onDone }: ChangeOptions) {
  const success = { title: 'Funnel updated', description: 'Funnel has been updated successfully.' };
  return useAction('PUT /api/funnels/:id', useOutcome('update', success, onDone));
}

/**
 * Returns a function that records that a stored key is shown. It resolves with false on failure.
 */
export function useRevealApiKey(id: number) {
  const { mutateAsync } = useAction('POST /api/funnels/:id/reveal-api-key', {
    onError: ({ message }: ApiError) =>
      toast({ title: 'Error', description: `Couldn't show the API key: ${message}`, variant: 'destructive' }),
  });
  return () =>
    mutateAsync({ params: { id } }).then(
      // Null when the session has expired.
      (response) => response !== null,
      () => false,
    );
}

export function useDeleteFunnel({ onDone }: ChangeOptions) {
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
    onError: ({ message }: ApiError) =>
      toast({ title: 'Refresh Failed', description: message, variant: 'destructive' }),
  });
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
