import type { FileKind } from './file-store.ts';

export interface DownloadRequest {
  url: string;
  kind: FileKind;
  /** The file's name in the store. */
  name: string;
  /**
   * Called when everything has arrived and may be kept: what is left to do, and may still fail, is the disk's. Not called for a file that
   * is there already.
   */
  onReceived?: () => void;
}

/**
 * How a download ended; what can pass has been tried again already.
 * - `stored`: whole in the store under its name
 * - `infected`: the scanner found a virus; nothing of the file is kept
 * - `expired`: the address was signed and is no longer valid; it must be read anew from the interview service
 * - `failed`: no file, for a reason that a person can read; `passing` when another try may succeed later
 */
export type DownloadOutcome =
  | { status: 'stored'; bytes: number }
  | { status: 'infected'; virus: string; reason: string }
  | { status: 'expired' }
  | { status: 'failed'; reason: string; passing: boolean };

/** Fetches files into the store: streamed, resumed when a connection breaks, never half under their final name. */
export interface Downloader {
  /** Rejects only when `signal` aborts. */
  download(request: DownloadRequest, signal: AbortSignal): Promise<DownloadOutcome>;
}
