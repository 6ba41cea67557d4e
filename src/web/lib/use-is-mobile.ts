import { useSyncExternalStore } from 'react';

/** Section 9 of the specification: the navigation becomes a side menu below 768 px. */
const QUERY = '(width < 768px)';

const subscribe = (listener: () => void) => {
  const media = matchMedia(QUERY);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
};

export const useIsMobile = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(QUERY).matches);
