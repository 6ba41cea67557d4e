import { useEffect } from 'react';

const PRODUCT = 'Video Interview Management';

/** Names the page in the tab and for screen readers. */
export function useTitle(page: string): void {
  useEffect(() => {
    document.title = `${page} · ${PRODUCT}`;
  }, [page]);
}
