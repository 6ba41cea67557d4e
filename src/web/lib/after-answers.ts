import type { Mutation, QueryClient } from '@tanstack/react-query';

interface Calls {
  endpoints: readonly { path: string }[];
  /** Only calls about this one; all when absent. */
  id?: string;
}

/**
 * Runs `tell` as soon as none of these calls is on its way. The socket may be quicker than the answer to the call that it speaks of;
 * people hear of the two in their order.
 */
export function afterAnswers(client: QueryClient, { endpoints, id }: Calls, tell: () => void): void {
  const paths = new Set(endpoints.map(({ path }) => path));
  const awaited = {
    status: 'pending',
    predicate: ({ options, state }: Mutation<unknown, Error, unknown>) =>
      paths.has(String(options.mutationKey?.[0])) && (id === undefined || idOf(state.variables) === id),
  } as const;
  if (client.isMutating(awaited) === 0) {
    tell();
    return;
  }
  const stop = client.getMutationCache().subscribe(() => {
    if (client.isMutating(awaited) > 0) return;
    stop();
    tell();
  });
}

const idOf = (input: unknown) => (input as { params?: { id?: unknown } } | undefined)?.params?.id;
