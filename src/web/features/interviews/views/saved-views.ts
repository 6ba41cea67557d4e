import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { SavedView } from '#contracts/saved-views.ts';
import {
  INTERVIEW_FILTERS,
  type InterviewFilters,
  NO_FILTERS,
  REVIEW_OPTIONS,
} from '#web/features/interviews/interview-filters.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { toast, toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';

/** The views of the account. Empty while they load. */
export const useSavedViews = (): readonly SavedView[] => useQuery(endpointQuery('/api/saved-views')).data ?? [];

/** The query of a view with these filters. Views start at the first page. */
export const viewQuery = (filters: InterviewFilters): string =>
  INTERVIEW_FILTERS.write({ ...filters, page: 1 }).toString();

/** The view with these filters. Stored queries are parsed, because their format may be older. */
export const findShownView = (views: readonly SavedView[], filters: InterviewFilters): SavedView | undefined =>
  views.find(({ query }) => viewQuery(INTERVIEW_FILTERS.read(new URLSearchParams(query))) === viewQuery(filters));

/** Every account has these views. */
export const OWN_REVIEWS = REVIEW_OPTIONS.flatMap(({ value, label }) =>
  value === 'missing' || value === 'yes' ? [{ name: label, query: viewQuery({ ...NO_FILTERS, review: value }) }] : [],
);

export const findOwnReviews = (filters: InterviewFilters) =>
  OWN_REVIEWS.find(({ query }) => query === viewQuery(filters));

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
    onError: toastFailure("Couldn't save the view"),
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
    onError: toastFailure("Couldn't rename the view"),
  });
}

/** The toast offers Undo, which saves the view again. */
export function useDeleteView() {
  const changeCache = useViewsCache();
  const restore = useAction('POST /api/saved-views', {
    onSuccess: (view) => changeCache((views) => [...views, view].sort(byName)),
    onError: toastFailure("Couldn't restore the view"),
  });
  const { mutate } = useAction('DELETE /api/saved-views/:id', {
    onError: toastFailure("Couldn't delete the view"),
    // Not a callback of `mutate`: the menu item that calls it is removed before the response.
    onSuccess: (_, { params }) =>
      changeCache((views) => {
        const deleted = views.find(({ id }) => id === params.id);
        if (deleted) announce(deleted);
        return views.filter((one) => one !== deleted);
      }),
  });
  const announce = ({ name, query }: SavedView) =>
    toast({
      title: 'View deleted',
      description: `"${name}" is no longer in your views.`,
      action: { label: 'Undo', onClick: () => restore.mutate({ body: { name, query } }) },
      duration: 10_000,
    });
  return ({ id }: SavedView) => mutate({ params: { id } });
}
