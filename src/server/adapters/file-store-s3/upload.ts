import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { FileStoreError } from '#server/ports/file-store.ts';
import type { Bucket } from './bucket.ts';
import { s3Error } from './s3-error.ts';

/** Larger files are uploaded in parts of at least this size. */
export const PART_BYTES = 16 * 2 ** 20;
const MAX_PARTS = 10_000;
/** Each part that is being sent is in memory. */
const PARTS_AT_ONCE = 2;
const LARGE_UPLOADS_AT_ONCE = 2;
const READ_BYTES = 512 * 1024;
const RETRY_DELAYS_MS = [200, 800];

/** Repeats a call whose stream the client cannot repeat. @throws FileStoreError */
export async function retrySending<T>(send: () => Promise<T>): Promise<T> {
  for (const delayMs of RETRY_DELAYS_MS) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof FileStoreError && error.isRetryable)) throw error;
      await sleep(delayMs);
    }
  }
  return send();
}

/** The part size for a file. */
export const partBytesOf = (size: number): number => Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS));

/** Uploads complete files. An object is visible when it is complete. */
export class Uploader {
  readonly #bucket: Bucket;
  #freeTurns = LARGE_UPLOADS_AT_ONCE;
  readonly #waiting: (() => void)[] = [];

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  /** Resolves with the ETag of the object. @throws FileStoreError */
  upload(key: string, handle: FileHandle, size: number): Promise<string> {
    return retrySending(() => this.#uploadOnce(key, handle, size));
  }

  async #uploadOnce(key: string, handle: FileHandle, size: number): Promise<string> {
    try {
      const etag = size <= PART_BYTES ? await this.#put(key, handle, size) : await this.#uploadParts(key, handle, size);
      return (etag ?? '').replaceAll('"', '');
    } catch (error) {
      throw s3Error(error, this.#bucket, 'write');
    }
  }

  async #put(key: string, handle: FileHandle, size: number): Promise<string | undefined> {
    const { client, name } = this.#bucket;
    const Body = readAll(handle, size);
    try {
      return (await client.send(new PutObjectCommand({ Bucket: name, Key: key, Body, ContentLength: size }))).ETag;
    } finally {
      Body.destroy();
    }
  }

  async #uploadParts(key: string, handle: FileHandle, size: number): Promise<string | undefined> {
    await this.#takeTurn();
    const Body = readAll(handle, size);
    try {
      const { Upload } = await import('@aws-sdk/lib-storage');
      const params = { Bucket: this.#bucket.name, Key: key, Body, ContentLength: size };
      const upload = new Upload({
        client: this.#bucket.client,
        params,
        partSize: partBytesOf(size),
        queueSize: PARTS_AT_ONCE,
      });
      return (await upload.done()).ETag;
    } finally {
      Body.destroy();
      this.#passTurn();
    }
  }

  async #takeTurn(): Promise<void> {
    if (this.#freeTurns > 0) this.#freeTurns -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #passTurn(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#freeTurns += 1;
  }
}

/** A stream of the handle would close it when destroyed, also with `autoClose: false`. */
export const readAll = (handle: FileHandle, size: number) =>
  Readable.from(blocksOf(handle, size), { objectMode: false });

async function* blocksOf(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let position = 0; position < size; ) {
    const block = Buffer.allocUnsafe(Math.min(READ_BYTES, size - position));
    const { bytesRead } = await handle.read(block, 0, block.length, position);
    if (bytesRead === 0) throw new Error('The file became shorter during its upload.');
    position += bytesRead;
    yield block.subarray(0, bytesRead);
  }
}
