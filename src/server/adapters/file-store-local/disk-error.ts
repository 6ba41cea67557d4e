import { FileStoreError, type FileStoreErrorKind } from '#server/ports/file-store.ts';

/** The system's error codes that say more than "unavailable" (errno(3)). */
const KINDS: Record<string, FileStoreErrorKind> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EROFS: 'read_only',
  EACCES: 'read_only',
  EPERM: 'read_only',
};

const TEXTS: Partial<Record<FileStoreErrorKind, string>> = {
  full: 'The disk is full: make room for',
  read_only: 'The file store may not be written: allow this program to write to',
};

/** True when the system says that there is nothing under the path. */
export const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error));

/** Says in our words what the system said about a folder. */
export function diskError(error: unknown, directory: string): FileStoreError {
  if (error instanceof FileStoreError) return error;
  const kind = KINDS[codeOf(error)] ?? 'unavailable';
  const text = TEXTS[kind] ?? `The file store cannot be used (${codeOf(error) || 'unknown error'}): check`;
  return new FileStoreError(kind, `${text} ${directory}.`, { cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
