import type { HostedVideo, Privacy, VideoToPublish } from '#server/ports/video-host.ts';
import type { GoogleResponse } from './google-call.ts';
import type { GoogleClient } from './google-client.ts';
import { hostedVideo } from './video-resource.ts';
import { videoTexts } from './video-texts.ts';
import { badResponse, youtubeRefusalError } from './youtube-error.ts';
import { sessionUrl, type YoutubeUrls } from './youtube-urls.ts';

/** The part of the file that one call sends. */
export interface Chunk {
  from: number;
  /** Exclusive. */
  to: number;
  total: number;
  blocks: AsyncIterable<Uint8Array>;
}

/**
 * The state of an upload: how many bytes from the start the host has stored, or the finished video.
 */
export type UploadState = { storedBytes: number } | { video: HostedVideo };

/** The host no longer has the session, because it expired or was ended. */
export class SessionMissing extends Error {
  override name = 'SessionMissing';
}

const CONTENT_TYPES: Record<string, string> = {
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  mkv: 'video/x-matroska',
};
/** Google accepts it for any video. */
const ANY_CONTENT = 'application/octet-stream';

/**
 * The three calls of the protocol:
 * https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol.
 */
export class UploadCalls {
  readonly #client: GoogleClient;
  readonly #urls: YoutubeUrls;

  constructor(client: GoogleClient, urls: YoutubeUrls) {
    this.#client = client;
    this.#urls = urls;
  }

  /** True when a session's URL belongs to the configured host. */
  isOurSession(url: string): boolean {
    return sessionUrl(url, this.#urls.upload) !== null;
  }

  /** Resolves with the session's URL. @throws UpstreamError */
  async startSession(
    video: VideoToPublish,
    options: { sizeBytes: number; privacy: Privacy },
    signal: AbortSignal,
  ): Promise<string> {
    const url = `${this.#urls.upload}?uploadType=resumable&part=snippet,status&notifySubscribers=false`;
    const headers = {
      'content-type': 'application/json; charset=UTF-8',
      'x-upload-content-length': String(options.sizeBytes),
      'x-upload-content-type': CONTENT_TYPES[/\.(\w+)$/.exec(video.name)?.[1]?.toLowerCase() ?? ''] ?? ANY_CONTENT,
    };
    const body = JSON.stringify({
      snippet: videoTexts(video),
      status: { privacyStatus: options.privacy, selfDeclaredMadeForKids: false },
    });
    const response = await this.#client.send({ method: 'POST', url, headers, body }, signal);
    if (response.status !== 200) throw youtubeRefusalError(response);
    const session = sessionUrl(String(response.headers.location ?? ''), this.#urls.upload);
    if (!session || response.headers.location === undefined) throw badResponse();
    return session;
  }

  /** @throws SessionMissing, UpstreamError */
  async queryState(url: string, total: number, signal: AbortSignal): Promise<UploadState> {
    const headers = { 'content-length': '0', 'content-range': `bytes */${total}` };
    const response = await this.#client.send({ method: 'PUT', url, headers }, signal);
    return this.#stateOf(response, total);
  }

  /**
   * Null when the token was rejected; then it is unknown how many bytes the host has stored.
   * @throws SessionMissing, UpstreamError, the errors of `blocks`
   */
  async sendChunk(url: string, { from, to, total, blocks }: Chunk, signal: AbortSignal): Promise<UploadState | null> {
    const headers = { 'content-length': String(to - from), 'content-range': `bytes ${from}-${to - 1}/${total}` };
    const response = await this.#client.sendOnce({ method: 'PUT', url, headers, body: blocks }, signal);
    return response.status === 401 ? null : this.#stateOf(response, total);
  }

  #stateOf(response: GoogleResponse, total: number): UploadState {
    const { status, headers, json } = response;
    if (status === 200 || status === 201) return { video: hostedVideo(json, this.#urls.watch) };
    if (status === 404 || status === 410) throw new SessionMissing();
    if (status !== 308) throw youtubeRefusalError(response);
    if (headers.range === undefined) return { storedBytes: 0 };
    const last = Number(/^bytes=0-(\d+)$/.exec(String(headers.range))?.[1] ?? Number.NaN);
    if (!(last < total)) throw badResponse();
    return { storedBytes: last + 1 };
  }
}
