import { useQueryClient } from '@tanstack/react-query';
import type { ReadPath } from './endpoint-query.ts';

/**
 * Returns a function that reads these paths again where they are shown. It does not wait for them.
 */
export function useReload(...paths: readonly ReadPath[]): () => void {
  const queryClient = useQueryClient();
  return () => {
    for (const path of paths) queryClient.invalidateQueries({ queryKey: [path] });
  };
}
