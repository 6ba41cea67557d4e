import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import type { Credentials, User } from '#contracts/session.ts';
import { ApiError } from '#web/lib/api-error.ts';
import { call } from '#web/lib/call.ts';
import { forgetDashboard } from '#web/lib/dashboard-place.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { logError } from '#web/lib/log.ts';
import { toast, toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';

/** The signed-in user. A failure counts as signed out: the guard redirects to the login. */
export const userQuery = queryOptions({ ...endpointQuery('/api/user'), retry: false });

/** The former release, which answers while processes are replaced, has administrators only. */
const ADMINISTRATOR = { role: 'administrator', allFunnels: true, funnelIds: [] } as const;

/** Outside the hook, so that the user stays the same object until it changes. */
const withRole = (user: User | null) => user && { ...ADMINISTRATOR, ...user };

/** With `ask: false` the user is only read from the cache, not requested. */
export function useSession({ ask = true } = {}): { user: User | null; isLoading: boolean } {
  const { data, isPending } = useQuery({ ...userQuery, enabled: ask, select: withRole });
  return { user: data ?? null, isLoading: isPending };
}

/**
 * Reads everything again when an administrator has changed the role or the funnels of the user, or
 * when another user has signed in in another tab.
 */
export function useNewRights({ id, role, allFunnels, funnelIds }: User): void {
  const queryClient = useQueryClient();
  const rights = `${id} ${role} ${allFunnels} ${funnelIds}`;
  const last = useRef(rights);
  useEffect(() => {
    if (last.current === rights) return;
    last.current = rights;
    // They may contain what the user no longer sees.
    queryClient.removeQueries({ type: 'inactive' });
    queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== '/api/user' });
    toast({ title: 'Your access has changed' });
  }, [queryClient, rights]);
}

/** Clears cached data for the next user, except the user query that the guard observes. */
function setUser(queryClient: QueryClient, user: User | null): void {
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== '/api/user' });
  queryClient.setQueryData(userQuery.queryKey, user);
}

const isUser = (response: Partial<User> | null): response is User =>
  typeof response?.id === 'number' && typeof response.username === 'string';

/** Signs in. Fails with an ApiError when the response is not a user. */
export function useLogin() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (credentials: z.input<typeof Credentials>) => {
      const response = await call('POST /api/login', { body: credentials });
      if (isUser(response)) return response;
      throw new ApiError({ status: 200, statusText: '', message: 'Invalid response from server', url: '/api/login' });
    },
    onSuccess: (user) => setUser(queryClient, user),
  });
}

/** Returns a function for sign-ins that do not go through `useLogin`. */
export function useSetUser() {
  const queryClient = useQueryClient();
  return (user: User) => setUser(queryClient, user);
}

/** On an explicit sign-out, clears drafts and search state too, because computers are shared. */
function clearUser(queryClient: QueryClient): void {
  sessionStorage.clear();
  forgetDashboard();
  setUser(queryClient, null);
}

/** After a failure, which is only logged, the user stays signed in. */
export function useLogout() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call('POST /api/logout'),
    onSuccess: () => clearUser(queryClient),
    onError: (error) => logError('Signing out failed', error),
  });
}

/** Shows a failure, because the user may rely on being signed out. */
export function useLogoutEverywhere() {
  const queryClient = useQueryClient();
  return useAction('POST /api/logout/everywhere', {
    onSuccess: () => clearUser(queryClient),
    onError: toastFailure("Couldn't sign out everywhere"),
  });
}

/**
 * Returns the storage key of a draft about `what`. It contains the author, so that the next user
 * of this tab neither sees nor saves the draft.
 */
export function useDraftKey(what: string): string {
  const { user } = useSession({ ask: false });
  // The session can end while the author writes; the draft keeps the author.
  const [authorId] = useState(user?.id);
  return `${authorId} ${what}`;
}
