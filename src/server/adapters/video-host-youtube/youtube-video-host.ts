import type { OutgoingProxy } from '#server/adapters/outside-http/outgoing-proxy.ts';
import { RETRY_POLICY, withRetries } from '#server/adapters/outside-http/retry.ts';
import { type FileStore, FileStoreError, type ReadableFile } from '#server/ports/file-store.ts';
import type { RetryPolicy } from '#server/ports/retry-policy.ts';
import type { Privacy, UploadContext, VideoHost, VideoToPublish } from '#server/ports/video-host.ts';
import { AccessTokens, type Permission } from './access-tokens.ts';
import { ChunkReader } from './chunk-reader.ts';
import { GoogleClient } from './google-client.ts';
import { GoogleHttp } from './google-http.ts';
import { SessionMissing, UploadCalls } from './upload-calls.ts';
import { hostedState } from './video-resource.ts';
import { VideoUpload } from './video-upload.ts';
import { youtubeError, youtubeRefusalError } from './youtube-error.ts';
import { youtubeUrls } from './youtube-urls.ts';

export interface YoutubeOptions extends Permission {
  /** Google's URL, or the base URL of a stand-in; see `youtubeUrls`. */
  apiUrl: string;
  privacy: Privacy;
  files: FileStore;
  retry?: RetryPolicy;
  proxy?: OutgoingProxy | undefined;
  /**
   * Bytes per call, a multiple of 256 KiB as Google requires. A broken call repeats at most this
   * many.
   */
  chunkBytes?: number;
  /** A call fails when no byte was sent or received for this long. */
  timeoutMs?: number;
}

const CHUNK_BYTES = 8 * 2 ** 20;
const TIMEOUT_MS = 60_000;

/**
 * Publishes on YouTube with the YouTube Data API v3, for the channel that granted its permission.
 */
export function youtubeVideoHost(options: YoutubeOptions): VideoHost {
  const { privacy, files, retry = RETRY_POLICY, chunkBytes = CHUNK_BYTES, timeoutMs = TIMEOUT_MS } = options;
  const urls = youtubeUrls(options.apiUrl);
  const http = new GoogleHttp(timeoutMs, options.proxy);
  const client = new GoogleClient(http, new AccessTokens(http, urls.token, options));
  const calls = new UploadCalls(client, urls);

  const uploadFile = (video: VideoToPublish, opened: ReadableFile, context: UploadContext) => {
    const { file } = opened;
    if (file.size === 0) throw youtubeError('rejected', 'The video file is empty.');
    const reader = new ChunkReader(opened);
    const upload = new VideoUpload({ calls, video, file, reader, privacy, chunkBytes, retry }, context);
    return upload.uploadVideo().finally(() => reader.idle());
  };

  return {
    name: 'YouTube',

    async upload(video, context) {
      context.signal.throwIfAborted();
      const opened = await files.open('video', video.name);
      if (!opened) throw new FileStoreError('unavailable', 'The video file is not in the file store.');
      try {
        return await uploadFile(video, opened, context);
      } finally {
        await opened.close();
      }
    },

    async findUploaded({ address: url, sizeBytes }, signal) {
      if (!calls.isOurSession(url)) return null;
      try {
        const state = await withRetries(retry, signal, () => calls.queryState(url, sizeBytes, signal));
        return 'video' in state ? state.video : null;
      } catch (error) {
        if (error instanceof SessionMissing) return null;
        throw error;
      }
    },

    ...publishedVideos({ client, videosUrl: urls.videos, privacy, retry }),
  };
}

interface PublishedVideos {
  client: GoogleClient;
  videosUrl: string;
  privacy: Privacy;
  retry: RetryPolicy;
}

function publishedVideos({ client, videosUrl, privacy, retry }: PublishedVideos): Pick<VideoHost, 'state' | 'remove'> {
  return {
    state: (videoId, signal) =>
      withRetries(retry, signal, async () => {
        const url = `${videosUrl}?part=status,processingDetails&id=${encodeURIComponent(videoId)}`;
        const response = await client.send({ method: 'GET', url }, signal);
        if (response.status !== 200) throw youtubeRefusalError(response);
        return hostedState(response.json, videoId, privacy);
      }),

    // https://developers.google.com/youtube/v3/docs/videos/delete: 204, or 404 for a missing video.
    remove: (videoId, signal) =>
      withRetries(retry, signal, async () => {
        const url = `${videosUrl}?id=${encodeURIComponent(videoId)}`;
        const response = await client.send({ method: 'DELETE', url }, signal);
        if (![200, 204, 404].includes(response.status)) throw youtubeRefusalError(response);
      }),
  };
}
