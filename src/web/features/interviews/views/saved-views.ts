import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { SavedView } from '#contracts/saved-views.ts';
import { INTERVIEW_FILTERS, type InterviewFilters } from '#web/features/interviews/interview-filters.ts';
import type { ApiError } from '#web/lib/api-error.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { storedValue } from '#web/lib/stored-value.ts';
import { toast } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';

/** Whether the account last had views, so that their row has its place while they load. */
const lastShown = storedValue('saved-views', (stored) => ({
  hasViews: (Object(stored) as { hasViews?: unknown }).hasViews === true,
}));

/** The views of the account, and whether their row is visible. */
export function useSavedViews(): { views: readonly SavedView[]; isVisible: boolean } {
  const { data } = useQuery(endpointQuery('/api/saved-views'));
  const { hasViews } = lastShown.use();
  useEffect(() => {
    if (data) lastShown.change({ hasViews: data.length > 0 });
  }, [data]);
  return { views: data ?? [], isVisible: data ? data.length > 0 : hasViews };
}

/** The query of a view with these filters. Views start at the first page. */
export const viewQuery = (filters: InterviewFilters): string =>
  INTERVIEW_FILTERS.write({ ...filters, page: 1 }).toString();

/** The view with these filters. Stored queries are parsed, because their format may be older. */
export const findShownView = (views: readonly SavedView[], filters: InterviewFilters): SavedView | undefined =>
  views.find(({ query }) => viewQuery(INTERVIEW_FILTERS.read(new URLSearchParams(query))) === viewQuery(filters));

const showFailure =
  (action: string) =>
  ({ message }: ApiError) =>
    toast({ title: 'Error', description: `Couldn't ${action} the view: ${message}`, variant: 'destructive' });

/** Shows a changed list before it is read again. */
function useViewsCache() {
  const queryClient = useQueryClient();
  const { queryKey } = endpointQuery('/api/saved-views');
  return (change: (views: readonly SavedView[]) => SavedView[]) => {
    queryClient.cancelQueries({ queryKey });
    queryClient.setQueryData(queryKey, (views) => views && change(views));
    queryClient.invalidateQueries({ queryKey });
  };
}

const byName = (a: SavedView, b: SavedView) => a.name.localeCompare(b.name);

export function useSaveView({ onDone }: { onDone: () => void }) {
  const changeCache = useViewsCache();
  return useAction('POST /api/saved-views', {
    onSuccess: (view) => {
      changeCache((views) => [...views, view].sort(byName));
      toast({ title: 'View saved' });
      onDone();
    },
    onError: showFailure('save'),
  });
}

export function useRenameView({ onDone }: { onDone: () => void }) {
  const changeCache = useViewsCache();
  return useAction('PUT /api/saved-views/:id', {
    onSuccess: (view) => {
      changeCache((views) => views.map((one) => (one.id === view.id ? view : one)).sort(byName));
      toast({ title: 'View renamed' });
      onDone();
    },
    onError: showFailure('rename'),
  });
}

/** The toast offers Undo, which saves the view again. */
export function useDeleteView() {
  const changeCache = useViewsCache();
  const restore = useAction('POST /api/saved-views', {
    onSuccess: (view) => changeCache((views) => [...views, view].sort(byName)),
    onError: showFailure('restore'),
  });
  const { mutate } = useAction('DELETE /api/saved-views/:id', { onError: showFailure('delete') });
  return ({ id, name, query }: SavedView) =>
    mutate(
      { params: { id } },
      {
        onSuccess: (answer) => {
          if (answer === null) return;
          changeCache((views) => views.filter((one) => one.id !== id));
          toast({
            title: 'View deleted',
            description: `"${name}" is no longer in your views.`,
            action: { label: 'Undo', onClick: () => restore.mutate({ body: { name, query } }) },
            duration: 10_000,
          });
        },
      },
    );
}
