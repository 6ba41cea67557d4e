/** A stored video and its texts. Hosts shorten the texts and remove what they do not allow. */
export interface VideoToPublish {
  /** The file's name in the file store. */
  name: string;
  title: string;
  description: string;
}

/**
 * An upload in progress at the host, stored by the caller as JSON. Secret: the URL allows
 * writing the video.
 */
export interface UploadSession {
  /** The URL. Its key is `address` in stored sessions. */
  address: string;
  sizeBytes: number;
  /** Identifies the content of the stored file; another file requires another upload. */
  etag: string;
}

/** In the configured texts of published videos. */
export const VIDEO_PLACEHOLDERS = [
  'funnelName',
  'clientName',
  'interviewId',
  'interviewTitle',
  'candidateName',
  'candidateEmail',
  'recordedDate',
  'questions',
] as const;

export const PRIVACIES = ['private', 'unlisted', 'public'] as const;
export type Privacy = (typeof PRIVACIES)[number];

export interface HostedVideo {
  id: string;
  url: string;
  /**
   * The actual privacy, which may be stricter than the requested one. Null when the host did not
   * report it.
   */
  privacy: Privacy | null;
}

/**
 * The state of a video after its upload.
 * - `processing`: cannot be watched yet; `fraction` is from 0 to 1, or null when the host does not
 *   report it
 * - `ready`: can be watched; `note` is a message for the user when the result differs from
 *   the request
 * - `failed`, `rejected`: will never be ready; `reason` is a message for the user
 * - `gone`: the host does not have it, or no longer
 */
export type HostedState =
  | { status: 'processing'; fraction: number | null }
  | { status: 'ready'; privacy: Privacy | null; note: string | null }
  | { status: 'failed' | 'rejected'; reason: string }
  | { status: 'gone' };

export interface UploadContext {
  /** The session that a previous try saved; null for the first try. */
  session: UploadSession | null;
  /** Stores the session durably; awaited before the first byte is sent. Null deletes it. */
  saveSession(session: UploadSession | null): Promise<void>;
  /** Receives how many bytes the host has stored, at most a few times a second. */
  onProgress(sentBytes: number, totalBytes: number): void;
  signal: AbortSignal;
}

/**
 * Publishes videos. Every implementation passes test/ports/video-host.test.ts.
 * Memory use does not depend on the size of the video. Retryable errors are retried with back-off
 * before they are thrown.
 */
export interface VideoHost {
  /** As users know it, for messages. */
  readonly name: string;
  /**
   * Uploads a video once: resumes the session of a previous try, and resolves with the existing
   * video when that session turns out to be complete.
   * @throws UpstreamError with `retryAfterMs` if known, which is hours when a quota is used up
   * @throws FileStoreError
   */
  upload(video: VideoToPublish, context: UploadContext): Promise<HostedVideo>;
  /**
   * The video of an upload that is not continued; null when the host does not have all of it.
   * @throws UpstreamError
   */
  findUploaded(session: UploadSession, signal: AbortSignal): Promise<HostedVideo | null>;
  /** @throws UpstreamError */
  state(videoId: string, signal: AbortSignal): Promise<HostedState>;
  /**
   * Deletes a video permanently. Succeeds when the video does not exist.
   * @throws UpstreamError `unauthorised` when our permission does not allow it
   */
  remove(videoId: string, signal: AbortSignal): Promise<void>;
}
