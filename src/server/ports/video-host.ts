/** A stored video and what is said about it. Hosts shorten and clean the texts to what they allow. */
export interface VideoToPublish {
  /** Its name in the file store. */
  name: string;
  title: string;
  description: string;
}

/** How far an upload has got at the host; kept by the caller, as JSON. Secret: whoever has the address can write the video. */
export interface UploadSession {
  address: string;
  sizeBytes: number;
  /** Of the stored file: another file is another upload. */
  etag: string;
}

export const PRIVACIES = ['private', 'unlisted', 'public'] as const;
export type Privacy = (typeof PRIVACIES)[number];

export interface HostedVideo {
  id: string;
  url: string;
  /** What the host made of the privacy that we asked for; it may be stricter. Null when it did not say. */
  privacy: Privacy | null;
}

/**
 * What a host makes of a video that it has in full.
 * - `processing`: not yet to be seen; `fraction` from 0 to 1 when the host says how far it is
 * - `ready`: can be watched
 * - `failed`, `rejected`: never will be; the reason is for a person
 * - `gone`: the host does not know it (any more)
 */
export type HostedState =
  | { status: 'processing'; fraction: number | null }
  | { status: 'ready'; privacy: Privacy | null }
  | { status: 'failed' | 'rejected'; reason: string }
  | { status: 'gone' };

export interface UploadContext {
  /** What an earlier try of this upload remembered; null at the first. */
  session: UploadSession | null;
  /** Keeps the session durably, before the first byte is sent under it; null forgets it. */
  remember(session: UploadSession | null): Promise<void>;
  /** Bytes that the host is known to have, out of all; called at most a few times a second. */
  report(sentBytes: number, totalBytes: number): void;
  signal: AbortSignal;
}

/**
 * Where interview videos are published. Every implementation passes test/ports/video-host.test.ts.
 * Memory stays flat for a video of any size. What may pass is tried again, with back-off, before anything is thrown.
 */
export interface VideoHost {
  /** What is asked for; compare with what came back. */
  readonly privacy: Privacy;
  /**
   * Uploads a video once: with the session of an earlier try it goes on where the host has stopped, and when the host turns out to have
   * everything already, it resolves with the video that came of it.
   * @throws UpstreamError; `retryAfterMs` says when another try makes sense, hours away when a quota is used up
   * @throws FileStoreError
   */
  upload(video: VideoToPublish, context: UploadContext): Promise<HostedVideo>;
  /** @throws UpstreamError */
  state(videoId: string, signal: AbortSignal): Promise<HostedState>;
  /**
   * Deletes a video for good; one that is not there (any more) is no error.
   * @throws UpstreamError `unauthorised` when our permission does not allow it
   */
  remove(videoId: string, signal: AbortSignal): Promise<void>;
}
