import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Credentials, User } from '#contracts/session.ts';
import { getUser, login, logout, logoutEverywhere } from '#web/lib/api.ts';
import { ApiError } from '#web/lib/api-error.ts';
import { call } from '#web/lib/call.ts';
import { rememberDashboard } from '#web/lib/dashboard-place.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { logError } from '#web/lib/log.ts';
import { toast } from '#web/lib/toast.tsx';
import { useAction } from '#web/lib/use-action.ts';

/** Who is signed in. A failure is the same as nobody, without a message: the guard leads to the login. */
export const userQuery = queryOptions({ ...endpointQuery(getUser), retry: false });

/** Who is signed in, as far as it is known; `ask: false` only waits for others to find out. */
export function useSession({ ask = true } = {}): { user: User | null; isLoading: boolean } {
  const { data, isPending } = useQuery({ ...userQuery, enabled: ask });
  return { user: data ?? null, isLoading: isPending };
}

/** What one person saw must not show up for the next. The user's own query stays: the guard is watching it. */
function becomes(queryClient: QueryClient, user: User | null): void {
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== getUser.path });
  queryClient.setQueryData(userQuery.queryKey, user);
}

const isUser = (answer: Partial<User> | null): answer is User =>
  typeof answer?.id === 'number' && typeof answer.username === 'string';

/** Signs in. Fails with an ApiError when the answer is not a user. */
export function useLogin() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (credentials: z.input<typeof Credentials>) => {
      const answer = await call(login, { body: credentials });
      if (isUser(answer)) return answer;
      throw new ApiError({ status: 200, statusText: '', message: 'Invalid response from server', url: login.path });
    },
    onSuccess: (user) => becomes(queryClient, user),
  });
}

/** For who has signed in on another way than `useLogin`. */
export function useBecome() {
  const queryClient = useQueryClient();
  return (user: User) => becomes(queryClient, user);
}

/** Whoever signs out on purpose leaves nothing half written, and nobody's name in a search, for the next person at this screen. */
function leave(queryClient: QueryClient): void {
  sessionStorage.clear();
  rememberDashboard('');
  becomes(queryClient, null);
}

/** Signs out. A failure is only logged, and the user stays signed in. */
export function useLogout() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call(logout),
    onSuccess: () => leave(queryClient),
    onError: (error) => logError('Signing out failed', error),
  });
}

/** Signs every browser of this account out. A failure is told: somebody may rely on it. */
export function useLogoutEverywhere() {
  const queryClient = useQueryClient();
  return useAction(logoutEverywhere, {
    onSuccess: () => leave(queryClient),
    onError: ({ message }) =>
      toast({ title: 'Error', description: `Failed to sign out everywhere: ${message}`, variant: 'destructive' }),
  });
}
