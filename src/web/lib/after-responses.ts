import { type Mutation, type QueryClient, useIsMutating } from '@tanstack/react-query';
import type { Route } from '#contracts/api.ts';

interface PendingCalls {
  routes: readonly Route[];
  /** Only calls about this id; without it, calls about any. */
  id?: string;
}

/**
 * Runs `announce` once none of these calls is pending. A live message may arrive before the
 * response to the call that caused it, but users should see the toast of the call first.
 */
export function afterResponses(queryClient: QueryClient, { routes, id }: PendingCalls, announce: () => void): void {
  const pending = {
    status: 'pending',
    predicate: ({ options, state }: Mutation<unknown, Error, unknown>) =>
      routes.some((route) => route === options.mutationKey?.[0]) && (id === undefined || idOf(state.variables) === id),
  } as const;
  if (queryClient.isMutating(pending) === 0) {
    announce();
    return;
  }
  const unsubscribe = queryClient.getMutationCache().subscribe(() => {
    if (queryClient.isMutating(pending) > 0) return;
    unsubscribe();
    announce();
  });
}

/** True while a call of this route about this id is pending, also one of another component. */
export const useIsPending = (route: Route, id: string): boolean =>
  useIsMutating({ mutationKey: [route], predicate: ({ state }) => idOf(state.variables) === id }) > 0;

/** The ids that pending calls of a route are about. */
export const pendingIds = (queryClient: QueryClient, route: Route): ReadonlySet<unknown> =>
  new Set(
    queryClient
      .getMutationCache()
      .findAll({ mutationKey: [route], status: 'pending' })
      .map(({ state }) => idOf(state.variables)),
  );

const idOf = (input: unknown) => (input as { params?: { id?: unknown } } | undefined)?.params?.id;
