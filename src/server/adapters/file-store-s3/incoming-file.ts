import { badName } from '#server/adapters/file-store-local/local-partial-file.ts';
import { FileStoreError, isFileName, type SharedFile } from '#server/ports/file-store.ts';
import type { Bucket } from './bucket.ts';
import {
  findIncoming,
  type Incoming,
  nothingReceived,
  readTail,
  removeIncoming,
  sizeOfParts,
  storeTail,
} from './incoming-objects.ts';
import { type LocalPart, openLocalPart, splitChunks } from './local-part.ts';
import { abortMultipart, completeMultipart, type MultipartUpload, sendPart, startMultipart } from './multipart.ts';
import type { ObjectReader } from './object-reader.ts';
import type { RecentObjects } from './recent-objects.ts';
import { isMissingObject, s3Error } from './s3-error.ts';
import { S3ReadableFile } from './s3-readable-file.ts';

export interface IncomingPlace {
  bucket: Bucket;
  recent: RecentObjects;
  reader: ObjectReader;
  name: string;
  /** The object that the complete file is until it is committed. */
  key: string;
  /** A folder of this machine for parts that are being written and sent. */
  spoolFolder: string;
  partBytes: number;
  /** Makes the complete file visible under `name`. */
  publish(name: string, size: number): Promise<void>;
  /** Called once, when the file is committed or closed. */
  onClosed(): void;
}

/**
 * A file that is received into the bucket: complete parts in a multipart upload, and the bytes
 * after them in an object next to it. Nothing is left on this machine when it is closed.
 */
export class IncomingFile implements SharedFile {
  readonly #place: IncomingPlace;
  #stored: Incoming;
  #size: number;
  /** The bytes after the last part, once they are needed. */
  #part: LocalPart | null = null;
  /** The part that is being sent while the next one is written. */
  #sending: Promise<void> = Promise.resolve();
  #object: S3ReadableFile | null = null;
  #isChanged = false;
  #isClosed = false;

  /** @throws FileStoreError */
  static async open(place: IncomingPlace): Promise<IncomingFile> {
    const { bucket, recent, key } = place;
    try {
      const stored = await findIncoming(bucket, key);
      if (!stored.isSealed) return new IncomingFile(place, stored, sizeOfParts(stored.parts) + stored.tailBytes);
      const object = await recent.fetchStat(key);
      return new IncomingFile(place, object ? stored : nothingReceived(), object?.size ?? 0);
    } catch (error) {
      throw s3Error(error, bucket, 'read');
    }
  }

  private constructor(place: IncomingPlace, stored: Incoming, size: number) {
    this.#place = place;
    this.#stored = stored;
    this.#size = size;
  }

  get size(): number {
    return this.#size;
  }

  append(...chunks: readonly Uint8Array[]): Promise<void> {
    return this.#withStoreErrors(async () => {
      if (this.#stored.isSealed) throw new FileStoreError('unavailable', 'The file is already complete.');
      const { partBytes } = this.#place;
      for (let left = [...chunks]; left.length > 0; ) {
        const { file } = await this.#openPart();
        this.#isChanged = true;
        const before = file.size;
        const [fitting, rest] = splitChunks(left, partBytes - before);
        await file.append(...fitting).finally(() => {
          this.#size += file.size - before;
        });
        left = rest;
        if (file.size === partBytes) await this.#sendPart();
      }
    });
  }

  read(buffer: Uint8Array, position: number, end?: number): Promise<number> {
    return this.#withStoreErrors(async () => {
      if (this.#stored.isSealed) return (await this.#openObject()).read(buffer, position, end);
      if (this.#stored.parts.length > 0) throw new FileStoreError('unavailable', 'The file is still being received.');
      return (await this.#openPart()).file.read(buffer, position);
    });
  }

  seal(): Promise<void> {
    return this.#withStoreErrors(async () => {
      if (this.#stored.isSealed) return;
      const { file } = await this.#openPart();
      if (file.size > 0 || this.#size === 0) await this.#sendPart();
      await this.#sending;
      await completeMultipart(await this.#startUpload(), this.#stored.parts);
      this.#stored.isSealed = true;
      this.#isChanged = false;
    });
  }

  truncate(): Promise<void> {
    return this.#withStoreErrors(async () => {
      const { bucket, key } = this.#place;
      await this.#sending.catch(() => {});
      await this.#closeLocally();
      if (this.#stored.upload) await abortMultipart(this.#stored.upload);
      await removeIncoming(bucket, key);
      this.#stored = nothingReceived();
      this.#size = 0;
      this.#isChanged = false;
    });
  }

  async commit(name = this.#place.name): Promise<void> {
    const { bucket, key, publish } = this.#place;
    try {
      if (!isFileName(name)) throw badName(name);
      await this.seal();
      await this.#withStoreErrors(async () => {
        await publish(name, this.#size);
        await removeIncoming(bucket, key);
      });
    } finally {
      await this.close();
    }
  }

  /** Stores what was written where other processes find it. @throws FileStoreError */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    try {
      await this.#withStoreErrors(async () => {
        await this.#sending;
        if (!this.#isChanged) return;
        await this.#storeTail(await this.#openPart());
      });
    } finally {
      this.#isClosed = true;
      await this.#closeLocally();
      this.#place.onClosed();
    }
  }

  /** Opens the part that is being written, with the bytes that an earlier call left. */
  async #openPart(): Promise<LocalPart> {
    if (this.#part) return this.#part;
    const part = await openLocalPart(this.#place.spoolFolder);
    this.#part = part;
    if (this.#stored.tailBytes === 0) return part;
    for await (const chunk of await readTail(this.#place.bucket, this.#place.key)) await part.file.append(chunk);
    this.#stored.tailBytes = 0;
    return part;
  }

  async #sendPart(): Promise<void> {
    await this.#sending;
    const upload = await this.#startUpload();
    const part = await this.#openPart();
    this.#part = null;
    const { parts } = this.#stored;
    this.#sending = part.finish(async (complete) => {
      parts.push(await sendPart(upload, parts.length + 1, complete));
    });
    // Its error is thrown by the next call.
    this.#sending.catch(() => {});
  }

  async #startUpload(): Promise<MultipartUpload> {
    if (this.#stored.upload) return this.#stored.upload;
    const { bucket, key, spoolFolder } = this.#place;
    const upload = await startMultipart(bucket, key);
    this.#stored.upload = upload;
    // Otherwise no other process would find the parts if this one was killed.
    await this.#storeTail(await openLocalPart(spoolFolder));
    return upload;
  }

  #storeTail(part: LocalPart): Promise<void> {
    const { bucket, key } = this.#place;
    const { upload, parts } = this.#stored;
    return part.finish((complete) => storeTail(bucket, { key, uploadId: upload?.uploadId ?? '', parts }, complete));
  }

  async #openObject(): Promise<S3ReadableFile> {
    const { recent, reader, key } = this.#place;
    const file = this.#object ? null : await recent.fetchStat(key);
    if (file) this.#object = new S3ReadableFile(key, file, reader);
    if (this.#object) return this.#object;
    throw deletedError();
  }

  async #closeLocally(): Promise<void> {
    await this.#part?.file.close();
    await this.#object?.close();
    this.#part = null;
    this.#object = null;
  }

  async #withStoreErrors<T>(act: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new FileStoreError('unavailable', 'The file is no longer being written.');
    try {
      return await act();
    } catch (error) {
      if (isMissingObject(error) || isMissingObject((error as Error).cause)) throw deletedError(error);
      throw s3Error(error, this.#place.bucket, 'write');
    }
  }
}

const deletedError = (cause?: unknown) =>
  new FileStoreError('unavailable', 'The file was deleted while it was being written.', { cause });
