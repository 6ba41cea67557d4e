import type { FileKind, PartialFile } from './file-store.ts';

/**
 * - `clean`: the file may be stored; `extension` follows from its content, `sha256` is hexadecimal
 * - `infected`: the scanner found a virus
 * - `refused`: `reason` is a message for users
 */
export type IntakeVerdict =
  | { status: 'clean'; extension: string; sha256: string }
  | { status: 'infected'; virus: string; reason: string }
  | { status: 'refused'; reason: string };

/**
 * Checks files that do not come from a download by the same rules. Recordings may also consist of
 * sound alone (m4a, mp3).
 */
export interface FileIntake {
  /** Returns the reason to refuse a file by its first `SIGNATURE_BYTES` bytes, or null. */
  refusalOf(kind: FileKind, start: Uint8Array): string | null;
  /**
   * Reads a complete file once or twice.
   * @throws UpstreamError `unavailable` when the scanner does not respond; FileStoreError
   */
  check(kind: FileKind, file: Pick<PartialFile, 'read' | 'size'>, signal: AbortSignal): Promise<IntakeVerdict>;
}

/** The number of bytes that identify the format of a file. */
export const SIGNATURE_BYTES = 12;
