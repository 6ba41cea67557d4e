/** A stored file, as the range sender needs it. `etag` changes when the content does. */
export interface StoredFile {
  size: number;
  modifiedAt: Date;
  etag: string;
}

/** A file opened for reading. */
export interface ReadableFile {
  readonly file: StoredFile;
  /** Fills `buffer` from `position` on and resolves with the number of bytes read; 0 at the end of the file. */
  read(buffer: Uint8Array, position: number): Promise<number>;
  close(): Promise<void>;
}

/** A file that is being written; nobody sees it under its name before `commit`. */
export interface PartialFile {
  /** Bytes written so far, those of an earlier attempt included. */
  readonly size: number;
  /** Resolves when the store is ready for more. */
  append(chunk: Uint8Array): Promise<void>;
  /** Throws away what was written, to start over. */
  truncate(): Promise<void>;
  /** Makes the file visible under its name, whole and durable. */
  commit(): Promise<void>;
  /** Closes without committing; what was written stays for a later `resume`. */
  close(): Promise<void>;
}

export type FileKind = 'video' | 'thumbnail';

/**
 * Where videos and thumbnails are kept. A name is one path segment of letters, digits, dot, hyphen and underscore; anything else is
 * refused as unknown, so no name leads out of the store. Every implementation passes test/ports/file-store.test.ts.
 */
export interface FileStore {
  stat(kind: FileKind, name: string): Promise<StoredFile | null>;
  /** Opens for reading at any position, or null when there is no such file. The caller closes it. */
  open(kind: FileKind, name: string): Promise<ReadableFile | null>;
  /** Goes on with a file that an earlier attempt left half written, or starts it. */
  resume(kind: FileKind, name: string): Promise<PartialFile>;
  /** Removes files and what is half written of them; names that are not there are no error. */
  remove(kind: FileKind, names: readonly string[]): Promise<void>;
}
