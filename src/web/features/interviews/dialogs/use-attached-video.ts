import { useCallback, useRef } from 'react';

/** The element that plays `source`, and the ref that gives it its source and, when the player goes, takes it away again. */
export function useAttachedVideo(source: string | undefined) {
  const video = useRef<HTMLVideoElement>(null);
  const attach = useCallback(
    (element: HTMLVideoElement) => {
      video.current = element;
      // React attaches twice while developing; the source must be there the second time as well.
      if (source && !element.hasAttribute('src')) element.src = source;
      return () => {
        element.pause();
        element.currentTime = 0;
        // Without a source the browser also stops loading.
        element.removeAttribute('src');
        element.load();
      };
    },
    [source],
  );
  return { video, attach };
}
