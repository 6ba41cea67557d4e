import type { HeldInterview } from './candidates.repo.ts';
import type { UnwantedVideo } from './video-removal.service.ts';

/** The video at the host, which may have it before it can be watched. */
export function publishedVideo({ youtube_id, youtube_url, published }: HeldInterview): UnwantedVideo | null {
  const id = youtube_id ?? published?.video_id;
  return id ? { id, url: youtube_url ?? published?.video_url ?? '' } : null;
}
