import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { firstSource } from './interview-parts.ts';

/** True when the user has asked the browser to load little. Chromium only. */
const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** Chromium shares the bytes of an element for 5 minutes after its last load (`url_index.cc`). */
const SHARED_MS = 4 * 60_000;

/**
 * Loads in advance the URL of the next video, and its first bytes while the current one plays.
 * Recordings are `no-store`, so the HTTP cache cannot keep them: browsers share the bytes of a
 * video element with later elements of the page that have the same URL. Chromium drops them
 * when a long video fills its buffer.
 *
 * Returns a function to be called while the current video plays, however often.
 */
export function useFollowingVideo(following: Interview | null): () => void {
  // The server records who receives the URL of a recording that is not stored.
  const [playingBefore, setPlayingBefore] = useState<string | null>(null);
  const { data } = useQuery({
    ...endpointQuery('/api/interviews/:id/video', { params: { id: following?.id ?? '' } }),
    enabled: following !== null && (following.hasLocalCopy || playingBefore === following.id),
    retry: 1,
  });
  const source = data ? firstSource(data) : undefined;
  const loading = useRef<{ video: HTMLVideoElement; at: number } | null>(null);
  useEffect(
    () => () => {
      if (source && loading.current) releaseLater(loading.current.video);
      loading.current = null;
    },
    [source],
  );
  return () => {
    if (!following || savesData()) return;
    setPlayingBefore(following.id);
    if (!source) return;
    const at = performance.now();
    if (!loading.current) loading.current = { video: startLoading(source), at };
    if (at - loading.current.at < SHARED_MS) return;
    loading.current.at = at;
    loading.current.video.load();
  };
}

function startLoading(source: string): HTMLVideoElement {
  const video = document.createElement('video');
  video.preload = 'metadata';
  video.muted = true;
  video.src = source;
  return video;
}

/**
 * Waits for the start of the next player: Firefox shares only the bytes of elements with a source.
 */
function releaseLater(video: HTMLVideoElement): void {
  setTimeout(() => {
    // Without a source the browser stops loading.
    video.removeAttribute('src');
    video.load();
  });
}
