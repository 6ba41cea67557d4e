import { queryOptions } from '@tanstack/react-query';
import type { Route, Routes } from '#contracts/api.ts';
import { type CallArguments, call } from './call.ts';

export type ReadPath = Extract<Route, `GET ${string}`> extends `GET ${infer Path}` ? Path : never;

/** Types every key: reads have the path (a POST the route) and the input, actions the route. */
declare module '@tanstack/react-query' {
  interface Register {
    queryKey: readonly [ReadPath | Route, ...unknown[]];
    mutationKey: readonly [Route];
  }
}

/**
 * The cached read of a path: `useQuery(endpointQuery('/api/funnels'))`. Invalidate all reads of a
 * path with `{ queryKey: ['/api/funnels'] }`. The data is null when the session has expired.
 */
export const endpointQuery = <P extends ReadPath>(path: P, ...[input]: CallArguments<Routes[`GET ${P}`]>) =>
  queryOptions({
    queryKey: [path, input ?? {}],
    queryFn: ({ signal }) => call(`GET ${path}`, ...([input, { signal }] as CallArguments<Routes[`GET ${P}`]>)),
  });
