/** `etag` is a strong validator without its quotes: it changes when the content does. */
export interface StoredFile {
  size: number;
  modifiedAt: Date;
  etag: string;
}

/**
 * A file opened for reading. If it is removed or replaced in the meantime, reads return bytes of
 * the opened content or throw `changed`, depending on the store.
 */
export interface ReadableFile {
  readonly file: StoredFile;
  /**
   * Reads into `buffer` from `position` and resolves with the number of bytes read, which is 0 at
   * the end of the file. `end` is where a sequence of reads will end: a remote store then requests
   * the bytes up to it once. Reads with `end` must not overlap.
   */
  read(buffer: Uint8Array, position: number, end?: number): Promise<number>;
  /** May be called twice, but not during a read. */
  close(): Promise<void>;
}

const CHUNK_BYTES = 2 ** 20;

/** Yields the content of an open file from its beginning to its end. */
export async function* readChunks(opened: ReadableFile): AsyncGenerator<Buffer> {
  for (let at = 0; at < opened.file.size; ) {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, opened.file.size - at));
    const bytes = await opened.read(buffer, at, opened.file.size);
    if (bytes === 0) return;
    yield buffer.subarray(0, bytes);
    at += bytes;
  }
}

/** Fills the buffer from `position`. Returns false if the file is too short. */
export async function readFully(
  file: Pick<ReadableFile, 'read'>,
  buffer: Uint8Array,
  { position, end }: { position: number; end?: number },
): Promise<boolean> {
  for (let filled = 0; filled < buffer.length; ) {
    const bytes = await file.read(buffer.subarray(filled), position + filled, end);
    if (bytes === 0) return false;
    filled += bytes;
  }
  return true;
}

/**
 * A file that is being written, invisible under its name until `commit`. Calls must not overlap.
 */
export interface PartialFile {
  /** The bytes written so far, including earlier attempts. */
  readonly size: number;
  /**
   * Writes the chunks in order. Resolves when the store is ready for the next ones; the buffers may
   * then be reused.
   */
  append(...chunks: readonly Uint8Array[]): Promise<void>;
  /**
   * Reads what was written so far, as `ReadableFile.read` does. A shared file of more than 1 MiB
   * must be sealed first.
   */
  read(buffer: Uint8Array, position: number, end?: number): Promise<number>;
  /** Deletes what was written so far. */
  truncate(): Promise<void>;
  /**
   * Makes the file durable and visible under `name`, by default the one it was resumed with,
   * replacing an earlier one. Throws when the file was removed in the meantime.
   */
  commit(name?: string): Promise<void>;
  /**
   * Closes without committing; a later `resume` continues. Does nothing after `commit` or when
   * called twice.
   */
  close(): Promise<void>;
}

/** A file that any process of the installation continues. */
export interface SharedFile extends PartialFile {
  /** Makes all of the file readable. Nothing can be appended afterwards. May be repeated. */
  seal(): Promise<void>;
}

export type WrittenFile = StoredFile & { name: string };

export const FILE_KINDS = ['video', 'thumbnail'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** Interrupted writers continue within this time, or never. */
export const ABANDONED_AFTER_MS = 7 * 24 * 3_600_000;

/**
 * The folder of each kind below the root of a store; nginx may be configured to serve the same
 * folders.
 */
export const FILE_FOLDERS: Record<FileKind, string> = { video: 'videos', thumbnail: 'thumbnails' };

/**
 * True for a path segment of at most 200 letters, digits, dots, hyphens and underscores that does
 * not start with a dot.
 */
export const isFileName = (name: string): boolean => /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/.test(name);

/**
 * Stores videos and thumbnails. A name that `isFileName` rejects is unknown to the store, so that
 * no name leads out of it. Every implementation passes test/ports/file-store.test.ts.
 * @throws FileStoreError from every call, including calls of opened and partial files
 */
export interface FileStore {
  stat(kind: FileKind, name: string): Promise<StoredFile | null>;
  /**
   * Returns the first of `names` that exists, for a caller that would otherwise write it again. A
   * remote store only considers what this process wrote recently, because a question costs half as
   * much as writing.
   */
  findWritten(kind: FileKind, names: readonly string[]): Promise<WrittenFile | null>;
  /** Resolves with null when the file does not exist. The caller must close it. */
  open(kind: FileKind, name: string): Promise<ReadableFile | null>;
  /**
   * Opens a file for writing, after the bytes of an earlier attempt if there are any. Throws `busy`
   * when this process is writing the file already; between processes the caller prevents that
   * (db/claims.ts).
   */
  resume(kind: FileKind, name: string): Promise<PartialFile>;
  /**
   * Like `resume`, but any process of the installation may continue the file: what was written
   * before `close` is where all processes find it. `name` has no dot, and `size`, the expected one,
   * is the same in every call. Leaves free what `uploadRoom` leaves.
   */
  resumeShared(kind: FileKind, name: string, size: number): Promise<SharedFile>;
  /**
   * Resolves with the number of bytes that shared files may still take, so that enough of the disk
   * is free for everything else. Zero or less when it is full; null when the store has no limit.
   */
  uploadRoom(): Promise<number | null>;
  /**
   * Checks that the store is writable by writing a few bytes. Resolves with its free bytes, or null
   * when it has no limit, and with the free bytes of the disk where files are written first.
   */
  probe(): Promise<{ freeBytes: number | null; spoolFreeBytes: number }>;
  /** Removes files and their partial files. Ignores names that do not exist. */
  remove(kind: FileKind, names: readonly string[]): Promise<void>;
  /** Yields the names of all complete files. */
  list(kind: FileKind): AsyncIterable<string>;
  /**
   * Removes files that interrupted writers left behind `ABANDONED_AFTER_MS` ago. May be repeated at
   * any time.
   */
  removeAbandoned(): Promise<void>;
}

/** A store in another service. */
export interface RemoteFileStore extends FileStore {
  /** True when the stored file consists of exactly these bytes. */
  hasContent(kind: FileKind, name: string, content: ReadableFile): Promise<boolean>;
  /**
   * A URL from which a browser reads the file without signing in, for at most five minutes.
   * The file may be missing.
   */
  signedUrl(kind: FileKind, name: string, headers: SignedHeaders): Promise<string>;
  /** The origin of signed URLs, such as `https://files.example.com`. */
  signedOrigin(): Promise<string>;
}

/** Headers of the response from a signed URL. */
export interface SignedHeaders {
  contentType: string;
  contentDisposition: string;
}

/**
 * - `full`: no space is left; not retryable, because an administrator must free some
 * - `read_only`: writing is not permitted
 * - `busy`: this process is already writing this file
 * - `bad_name`: the name of a file to write is not allowed
 * - `changed`: the opened file was removed or replaced; opening it again may succeed
 * - `bucket_missing`, `credentials_refused`: an administrator must correct the settings
 * - `unreachable`: the service does not respond; may be transient
 * - `unavailable`: any other problem; may be transient
 */
export type FileStoreErrorKind =
  | 'full'
  | 'read_only'
  | 'busy'
  | 'bad_name'
  | 'changed'
  | 'bucket_missing'
  | 'credentials_refused'
  | 'unreachable'
  | 'unavailable';

const RETRYABLE: ReadonlySet<FileStoreErrorKind> = new Set(['busy', 'changed', 'unreachable', 'unavailable']);

export class FileStoreError extends Error {
  override name = 'FileStoreError';
  readonly kind: FileStoreErrorKind;

  /** `message` is for users and names the next step. */
  constructor(kind: FileStoreErrorKind, message: string, more: { cause?: unknown } = {}) {
    super(message, { cause: more.cause });
    this.kind = kind;
  }

  /** True when the same call may succeed later. */
  get isRetryable(): boolean {
    return RETRYABLE.has(this.kind);
  }
}
