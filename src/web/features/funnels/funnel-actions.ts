import { useQueryClient } from '@tanstack/react-query';
import type { Funnel } from '#contracts/funnels.ts';
import {
  activateFunnel,
  activeFunnel,
  createFunnel,
  deleteFunnel,
  listFunnels,
  listInterviews,
  updateFunnel,
} from '#web/lib/api.ts';
import type { ApiError } from '#web/lib/api-error.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { toast } from '#web/lib/toast.tsx';
import { useAction } from '#web/lib/use-action.ts';

const failed = (what: string) => (error: ApiError) =>
  toast({ title: 'Error', description: `Failed to ${what} funnel: ${error.message}`, variant: 'destructive' });

/** Reads again what shows funnels: their list, the active one, and the interviews that carry their names. */
export function useFunnelsChanged() {
  const queryClient = useQueryClient();
  return () => {
    for (const endpoint of [listFunnels, activeFunnel, listInterviews]) {
      queryClient.invalidateQueries({ queryKey: [endpoint.path] });
    }
  };
}

/** Changes the cached list at once. Returns how to take it back. */
function useFunnelCache() {
  const queryClient = useQueryClient();
  const { queryKey } = endpointQuery(listFunnels);
  return (change: (funnels: Funnel[]) => Funnel[]) => {
    const before = queryClient.getQueryData(queryKey);
    // A read on its way would bring the old list back.
    queryClient.cancelQueries({ queryKey });
    if (before) queryClient.setQueryData(queryKey, change(before));
    return () => queryClient.setQueryData(queryKey, before);
  };
}

interface Done {
  onDone: () => void;
}

export function useCreateFunnel({ onDone }: Done) {
  const changed = useFunnelsChanged();
  return useAction(createFunnel, {
    onSuccess: () => {
      toast({ title: 'Funnel created', description: 'New funnel has been created successfully.' });
      changed();
      onDone();
    },
    onError: failed('create'),
  });
}

export function useUpdateFunnel({ onDone }: Done) {
  const changed = useFunnelsChanged();
  return useAction(updateFunnel, {
    onSuccess: () => {
      toast({ title: 'Funnel updated', description: 'Funnel has been updated successfully.' });
      changed();
      onDone();
    },
    onError: failed('update'),
  });
}

export function useDeleteFunnel({ onDone }: Done) {
  const changed = useFunnelsChanged();
  const changeCache = useFunnelCache();
  return useAction(deleteFunnel, {
    onSuccess: (_answer, { params }) => {
      changeCache((funnels) => funnels.filter((funnel) => funnel.id !== Number(params.id)));
      toast({ title: 'Funnel deleted', description: 'Funnel has been deleted successfully.' });
      changed();
      onDone();
    },
    onError: failed('delete'),
  });
}

/** Shown at once: at most one funnel is active, so the outcome is known before the server answers. */
export function useActivateFunnel() {
  const changed = useFunnelsChanged();
  const changeCache = useFunnelCache();
  return useAction(activateFunnel, {
    onStart: ({ params }) =>
      changeCache((funnels) => funnels.map((funnel) => ({ ...funnel, isActive: funnel.id === Number(params.id) }))),
    onSuccess: () => {
      toast({ title: 'Funnel activated', description: 'Funnel has been set as active.' });
      changed();
    },
    onError: (error) => {
      failed('activate')(error);
      changed();
    },
  });
}
