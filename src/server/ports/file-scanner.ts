import type { ReadableFile } from './file-store.ts';

export type ScanVerdict = { status: 'clean' } | { status: 'infected'; virus: string };

/**
 * Scans files for viruses before they can be opened. Every implementation passes
 * test/ports/file-scanner.test.ts.
 */
export interface FileScanner {
  /** Resolves when the scanner is reachable. @throws UpstreamError `unavailable` */
  check(signal: AbortSignal): Promise<void>;
  /**
   * Reads the file once from beginning to end, in pieces and no faster than the scanner accepts
   * them.
   * @throws UpstreamError `unavailable` when the scanner does not respond, `bad_response` when it
   *   could not scan the file; the errors of `read`
   */
  scan(file: Pick<ReadableFile, 'read'>, signal: AbortSignal): Promise<ScanVerdict>;
}
