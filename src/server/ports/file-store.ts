/** A stored file, as the range sender needs it. `etag` is a strong validator without its quotes: it changes when the content does. */
export interface StoredFile {
  size: number;
  modifiedAt: Date;
  etag: string;
}

/** A file opened for reading. It stays readable to its end, even when it is removed or replaced meanwhile. */
export interface ReadableFile {
  readonly file: StoredFile;
  /** Fills `buffer` from `position` on and resolves with the number of bytes read; 0 at the end of the file. */
  read(buffer: Uint8Array, position: number): Promise<number>;
  /** Closing twice is no error. No read may be under way. */
  close(): Promise<void>;
}

/** A file that is being written; nobody sees it under its name before `commit`. Calls follow one another, never overlap. */
export interface PartialFile {
  /** Bytes written so far, those of an earlier attempt included. */
  readonly size: number;
  /** Resolves when the store is ready for more; the chunk may then be used again. */
  append(chunk: Uint8Array): Promise<void>;
  /** Reads what is written so far, as `ReadableFile` does. */
  read(buffer: Uint8Array, position: number): Promise<number>;
  /** Throws away what was written, to start over. */
  truncate(): Promise<void>;
  /** Makes the file visible under its name, whole and durable, in place of an earlier one. Fails when the file was removed meanwhile. */
  commit(): Promise<void>;
  /** Closes without committing; what was written stays for a later `resume`. After `commit`, or twice, it does nothing. */
  close(): Promise<void>;
}

export type FileKind = 'video' | 'thumbnail';

/** The folder of each kind below the root of a store; an nginx in front is pointed at the same names. */
export const FILE_FOLDERS: Record<FileKind, string> = { video: 'videos', thumbnail: 'thumbnails' };

/** One path segment of letters, digits, dot, hyphen and underscore, at most 200 long, that does not start with a dot. */
export const isFileName = (name: string): boolean => /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/.test(name);

/**
 * Where videos and thumbnails are kept. A name for which `isFileName` does not hold is refused as unknown, so no name leads out of
 * the store. Every implementation passes test/ports/file-store.test.ts.
 * @throws FileStoreError from every call, those of opened and partial files included
 */
export interface FileStore {
  stat(kind: FileKind, name: string): Promise<StoredFile | null>;
  /** Opens for reading at any position, or null when there is no such file. The caller closes it. */
  open(kind: FileKind, name: string): Promise<ReadableFile | null>;
  /**
   * Goes on with a file that an earlier attempt left half written, or starts it. One writer at a time: a second one in this process is
   * refused as `busy`; between processes the caller sees to it (db/claims.ts).
   */
  resume(kind: FileKind, name: string): Promise<PartialFile>;
  /** Writes and removes a few bytes, to find out whether the store can be written. Resolves with its free bytes; null when it knows no end. */
  probe(): Promise<{ freeBytes: number | null }>;
  /** Removes files and what is half written of them; names that are not there are no error. */
  remove(kind: FileKind, names: readonly string[]): Promise<void>;
}

/**
 * What can go wrong with a store.
 * - `full`: no room is left; trying again does not help until somebody makes room
 * - `read_only`: we may not write there
 * - `busy`: somebody in this process is already writing this file
 * - `bad_name`: the name of a file to write is not allowed
 * - `unavailable`: everything else; trying again may help
 */
export type FileStoreErrorKind = 'full' | 'read_only' | 'busy' | 'bad_name' | 'unavailable';

export class FileStoreError extends Error {
  override name = 'FileStoreError';
  readonly kind: FileStoreErrorKind;

  /** `message` is a text that a person can act on. */
  constructor(kind: FileStoreErrorKind, message: string, more: { cause?: unknown } = {}) {
    super(message, { cause: more.cause });
    this.kind = kind;
  }
}
