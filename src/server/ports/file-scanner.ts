import type { ReadableFile } from './file-store.ts';

export type ScanVerdict = { status: 'clean' } | { status: 'infected'; virus: string };

/** Looks for viruses in files before anybody gets them. Every implementation passes test/ports/file-scanner.test.ts. */
export interface FileScanner {
  /** Resolves when it is there and answers. @throws UpstreamError `unavailable` */
  check(signal: AbortSignal): Promise<void>;
  /**
   * Reads the file once from its beginning to its end, a piece at a time and no faster than the scanner takes it.
   * @throws UpstreamError `unavailable` when it does not answer, `bad_answer` when it could not look into the file; what `read` throws
   */
  scan(file: Pick<ReadableFile, 'read'>, signal: AbortSignal): Promise<ScanVerdict>;
}
