import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { firstSource } from './interview-parts.ts';

/** True when the user has asked the browser to load little. Chromium only. */
const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/**
 * Loads in advance the address of the next video, and its first bytes while the current one plays.
 * Recordings are `no-store`, so the HTTP cache cannot keep them: browsers share the bytes of a video
 * element with later elements of the page that have the same address. Chromium shares them for at
 * most 5 minutes, and drops them when a long video fills its buffer.
 */
export function useFollowingVideo(following: Interview | null) {
  const { data } = useQuery({
    ...endpointQuery('/api/interviews/:id/video', { params: { id: following?.id ?? '' } }),
    enabled: following !== null,
    retry: 1,
  });
  const source = data ? firstSource(data) : undefined;
  const loading = useRef<{ video: HTMLVideoElement; isRepeated: boolean } | null>(null);
  useEffect(
    () => () => {
      if (source && loading.current) releaseLater(loading.current.video);
      loading.current = null;
    },
    [source],
  );
  return {
    /** To be called while the current video plays, however often. */
    load: () => {
      if (source && !savesData()) loading.current ??= { video: startLoading(source), isRepeated: false };
    },
    /** To be called near the end of the current video: loads once more what the browser has dropped. */
    loadAgain: () => {
      if (!loading.current || loading.current.isRepeated) return;
      loading.current.isRepeated = true;
      loading.current.video.load();
    },
  };
}

function startLoading(source: string): HTMLVideoElement {
  const video = document.createElement('video');
  video.preload = 'metadata';
  video.muted = true;
  video.src = source;
  return video;
}

/** Firefox shares the bytes of elements that have a source, and the next player is just starting. */
function releaseLater(video: HTMLVideoElement): void {
  setTimeout(() => {
    // Without a source the browser stops loading.
    video.removeAttribute('src');
    video.load();
  });
}
