import { FileStoreError, type FileStoreErrorKind } from '#server/ports/file-store.ts';

/** System error codes with a meaning more specific than "unavailable" (errno(3)). */
const KINDS: Record<string, FileStoreErrorKind> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EROFS: 'read_only',
  EACCES: 'read_only',
  EPERM: 'read_only',
};

const TEXTS: Partial<Record<FileStoreErrorKind, string>> = {
  full: 'The disk is full. Free space for',
  read_only: 'The file store is read-only. Allow the server to write to',
};

export const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error));

/** Translates a system error about a folder. */
export function diskError(error: unknown, directory: string): FileStoreError {
  if (error instanceof FileStoreError) return error;
  const kind = KINDS[codeOf(error)] ?? 'unavailable';
  const text = TEXTS[kind] ?? `The file store is unavailable (${codeOf(error) || 'unknown error'}). Check`;
  return new FileStoreError(kind, `${text} ${directory}.`, { cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
