import type { FileKind } from './file-store.ts';

export interface DownloadRequest {
  url: string;
  kind: FileKind;
  /** The file's name in the store without an extension, which depends on its content. */
  name: string;
  /**
   * Called when the whole file was received and accepted, before it is stored, which may still
   * fail. Not called for a file that exists already.
   */
  onReceived?: () => void;
}

/**
 * The result of a download; transient errors were retried before.
 * - `stored`: the whole file is in the store; `name` has the extension of its content
 * - `infected`: the scanner found a virus; nothing of the file is kept
 * - `expired`: the signed URL is no longer valid; request a new one from the interview service
 * - `failed`: nothing was stored; `reason` is a message for users, `isRetryable` is true when a
 *   later download may succeed
 */
export type DownloadOutcome =
  | { status: 'stored'; bytes: number; name: string }
  | { status: 'infected'; virus: string; reason: string }
  | { status: 'expired' }
  | { status: 'failed'; reason: string; isRetryable: boolean };

/**
 * Downloads files into the store. Files are streamed, resumed when a connection breaks, and never
 * visible under their name until complete. Every implementation passes
 * test/ports/downloader*.test.ts.
 */
export interface Downloader {
  /** Succeeds immediately when the file exists already. Rejects only when `signal` aborts. */
  download(request: DownloadRequest, signal: AbortSignal): Promise<DownloadOutcome>;
  /**
   * Loads an image without storing it. Null when there is none, when it is too large, when files
   * are scanned before they are shown, or when `signal` aborts.
   */
  loadImage(url: string, signal: AbortSignal): Promise<LoadedImage | null>;
  /** False for a URL that is rejected without a DNS lookup. */
  admits(url: string): boolean;
}

export interface LoadedImage {
  bytes: Uint8Array;
  /** The extension of its content. */
  extension: string;
}
