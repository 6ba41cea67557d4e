import { createHash, type Hash } from 'node:crypto';
import { VideoShelf } from './video-shelf.ts';

export interface VideoMetadata {
  title: string;
  description: string;
  privacy: string;
  selfDeclaredMadeForKids: boolean | null;
}

/**
 * Bytes received with one call. `end` and `keptUntil` are exclusive; bytes between the two were
 * discarded.
 */
export interface ReceivedRange {
  start: number;
  end: number;
  keptUntil: number;
}

export interface PublishedVideo extends VideoMetadata {
  id: string;
  contentType: string;
  sizeBytes: number;
  sha256: string;
  /** All received ranges, in order. */
  ranges: ReceivedRange[];
  /** Number of status polls. */
  polls: number;
}

/** An upload, in progress or complete. */
export interface Upload {
  id: string;
  metadata: VideoMetadata;
  contentType: string;
  sizeBytes: number;
  kept: number;
  ranges: ReceivedRange[];
  /** Number of calls so far; a later call ends an earlier one that is still sending. */
  calls: number;
  /** Null until the upload is complete. */
  video: PublishedVideo | null;
  hash: Hash;
  /** Null when the video is too large to keep. */
  bytes: Buffer | null;
}

/** The part of an upload that tests may read. */
export type UploadRecord = Pick<Upload, 'id' | 'sizeBytes' | 'kept' | 'ranges'>;

/** The upload sessions and their videos. */
export class Uploads {
  readonly shelf = new VideoShelf();
  readonly #sessions = new Map<string, Upload>();
  #started: Upload[] = [];
  #videos: PublishedVideo[] = [];
  #count = 0;

  start(metadata: VideoMetadata, contentType: string, sizeBytes: number): Upload {
    this.#count += 1;
    const upload: Upload = {
      id: `sandbox-upload-${String(this.#count).padStart(24, '0')}`,
      metadata,
      contentType,
      sizeBytes,
      kept: 0,
      ranges: [],
      calls: 0,
      video: null,
      hash: createHash('sha256'),
      bytes: this.shelf.reserve(sizeBytes),
    };
    this.#sessions.set(upload.id, upload);
    this.#started.push(upload);
    return upload;
  }

  session(id: string): Upload | null {
    return this.#sessions.get(id) ?? null;
  }

  /** Ends a session; its URL no longer exists. */
  drop(upload: Upload): void {
    this.#sessions.delete(upload.id);
    this.shelf.release(upload.bytes);
  }

  keep(upload: Upload, chunk: Buffer): void {
    upload.hash.update(chunk);
    upload.bytes?.set(chunk, upload.kept);
    upload.kept += chunk.length;
  }

  /** Discards all received bytes. */
  empty(upload: Upload): void {
    upload.kept = 0;
    upload.hash = createHash('sha256');
  }

  /** Turns a complete upload into a video, once. */
  publish(upload: Upload, forcedPrivacy: string | null): PublishedVideo {
    if (upload.video) return upload.video;
    const video: PublishedVideo = {
      id: `sbx${upload.id.slice(-3)}${upload.hash.copy().digest('base64url').slice(0, 5)}`,
      ...upload.metadata,
      privacy: forcedPrivacy ?? upload.metadata.privacy,
      contentType: upload.contentType,
      sizeBytes: upload.sizeBytes,
      sha256: upload.hash.digest('hex'),
      ranges: upload.ranges,
      polls: 0,
    };
    upload.video = video;
    this.#videos.push(video);
    this.shelf.put(video.id, upload.bytes);
    return video;
  }

  /** Returns false for an unknown video. */
  remove(id: string): boolean {
    const before = this.#videos.length;
    this.#videos = this.#videos.filter((video) => video.id !== id);
    this.shelf.remove(id);
    return this.#videos.length < before;
  }

  videos(): PublishedVideo[] {
    return [...this.#videos];
  }

  started(): UploadRecord[] {
    return this.#started.map(({ id, sizeBytes, kept, ranges }) => ({ id, sizeBytes, kept, ranges }));
  }

  reset(): void {
    this.#sessions.clear();
    this.#started = [];
    this.#videos = [];
    this.shelf.reset();
  }
}
