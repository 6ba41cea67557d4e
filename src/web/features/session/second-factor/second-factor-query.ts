import { useQueryClient } from '@tanstack/react-query';
import { getSecondFactor } from '#web/lib/api.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';

/** Asked for whenever it is shown: a recovery code may just have been used. */
export const secondFactorQuery = { ...endpointQuery(getSecondFactor), staleTime: 0 };

/** What was known of the second factor is asked for again. */
export function useForgetFactor() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: [getSecondFactor.path] });
}
