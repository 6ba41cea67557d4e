import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { PutObjectCommand, type PutObjectCommandInput } from '@aws-sdk/client-s3';
import PQueue from 'p-queue';
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

export interface LocalBytes {
  handle: FileHandle;
  size: number;
}

/**
 * Passes a stream of the bytes to `send`. Repeats transient failures, because the client cannot
 * repeat a call with a stream.
 * @throws FileStoreError
 */
export async function sendBytes<T>(
  bucket: Bucket,
  { handle, size }: LocalBytes,
  send: (content: { Body: Readable; ContentLength: number }) => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    // A stream of the handle would close it when destroyed, also with `autoClose: false`.
    const Body = Readable.from(blocksOf(handle, size), { objectMode: false });
    try {
      return await send({ Body, ContentLength: size });
    } catch (error) {
      const failure = s3Error(error, bucket, 'write');
      const delayMs = RETRY_DELAYS_MS[attempt];
      if (!failure.isRetryable || delayMs === undefined) throw failure;
      await sleep(delayMs);
    } finally {
      Body.destroy();
    }
  }
}

/** The part size for a file. */
export const partBytesOf = (size: number): number => Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS));

/**
 * Returns a function that uploads complete files and resolves with their ETags. An object becomes
 * visible when it is complete.
 */
export function uploaderTo(bucket: Bucket): (key: string, file: LocalBytes) => Promise<string> {
  const largeUploads = new PQueue({ concurrency: LARGE_UPLOADS_AT_ONCE });
  const uploadParts = async (params: PutObjectCommandInput, size: number) => {
    const { Upload } = await import('@aws-sdk/lib-storage');
    const limits = { partSize: partBytesOf(size), queueSize: PARTS_AT_ONCE };
    return new Upload({ client: bucket.client, params, ...limits }).done();
  };
  return async (key, file) => {
    const { ETag = '' } = await sendBytes(bucket, file, (content) => {
      const params = { Bucket: bucket.name, Key: key, ...content };
      if (file.size <= PART_BYTES) return bucket.client.send(new PutObjectCommand(params));
      return largeUploads.add(() => uploadParts(params, file.size));
    });
    return ETag.replaceAll('"', '');
  };
}

async function* blocksOf(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let position = 0; position < size; ) {
    const block = Buffer.allocUnsafe(Math.min(READ_BYTES, size - position));
    const { bytesRead } = await handle.read(block, 0, block.length, position);
    if (bytesRead === 0) throw new Error('The file became shorter during its upload.');
    position += bytesRead;
    yield block.subarray(0, bytesRead);
  }
}
