import { queryOptions } from '@tanstack/react-query';
import type { Address, Endpoint } from '#contracts/endpoint.ts';
import { type CallArguments, call } from '#web/lib/call.ts';

/**
 * The cached read of an endpoint, keyed by its path and input. `useQuery(endpointQuery(listFunnels))`;
 * invalidate all reads of an endpoint with `{ queryKey: [listFunnels.path] }`. The data is null when the session has expired.
 */
export const endpointQuery = <E extends Endpoint>(endpoint: Address<E>, ...[input]: CallArguments<E>) =>
  queryOptions({
    queryKey: [endpoint.path, input ?? {}],
    queryFn: ({ signal }) => call(endpoint, ...([input, { signal }] as CallArguments<E>)),
  });
