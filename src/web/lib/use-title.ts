import { useEffect } from 'react';

const PRODUCT = 'Video Interview Management';

/** Sets the title of the browser tab. */
export function useTitle(page: string): void {
  useEffect(() => {
    document.title = `${page} · ${PRODUCT}`;
  }, [page]);
}
