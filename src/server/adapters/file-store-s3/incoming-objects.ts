import type { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import type { Bucket } from './bucket.ts';
import { abortMultipart, listParts, type MultipartUpload, type SentPart } from './multipart.ts';
import { type LocalBytes, sendBytes } from './upload.ts';

/** The part of an incoming file that is in the bucket. */
export interface Incoming {
  /** Null until the first part is complete. */
  upload: MultipartUpload | null;
  parts: SentPart[];
  /** The bytes after the last part, in an object next to it, the tail. */
  tailBytes: number;
  /** True when the parts were joined into one object. */
  isSealed: boolean;
}

export const TAIL = '.tail';
const tailKeyOf = (key: string) => key + TAIL;

export const sizeOfParts = (parts: readonly SentPart[]): number => parts.reduce((sum, { size }) => sum + size, 0);

export const nothingReceived = (): Incoming => ({ upload: null, parts: [], tailBytes: 0, isSealed: false });

/** Returns what any process has received of a file. */
export async function findIncoming(bucket: Bucket, key: string): Promise<Incoming> {
  const nothing = nothingReceived();
  const tail = await findTail(bucket, key);
  if (!tail) return nothing;
  if (!tail.uploadId) return { ...nothing, tailBytes: tail.bytes };
  const upload = { bucket, key, uploadId: tail.uploadId };
  const parts = await listParts(upload);
  if (!parts) return { ...nothing, upload, isSealed: true };
  // A tail that begins before the end of the parts is older than the last one and contained in it.
  return { upload, parts, tailBytes: tail.offset === sizeOfParts(parts) ? tail.bytes : 0, isSealed: false };
}

export async function findTail(bucket: Bucket, key: string) {
  const found = await bucket.findObject(tailKeyOf(key));
  if (!found) return null;
  const { ContentLength: bytes = 0, Metadata = {} } = found;
  return { bytes, uploadId: Metadata['upload-id'] ?? '', offset: Number(Metadata.offset ?? 0) };
}

export async function readTail({ client, name }: Bucket, key: string): Promise<Readable> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: name, Key: tailKeyOf(key) }));
  return Body as Readable;
}

/** Stores the bytes after the parts, with the state from which a later call continues. */
export async function storeTail(
  bucket: Bucket,
  { key, uploadId, parts }: { key: string; uploadId: string; parts: readonly SentPart[] },
  tail: LocalBytes,
): Promise<void> {
  const Metadata = { 'upload-id': uploadId, offset: String(sizeOfParts(parts)) };
  await sendBytes(bucket, tail, (content) =>
    bucket.client.send(new PutObjectCommand({ Bucket: bucket.name, Key: tailKeyOf(key), Metadata, ...content })),
  );
}

/** Deletes a file's parts in the bucket. The tail is last, because it has the ID of the upload. */
export async function removeIncoming(bucket: Bucket, key: string): Promise<void> {
  const tail = await findTail(bucket, key);
  if (!tail) return;
  if (tail.uploadId) await abortMultipart({ bucket, key, uploadId: tail.uploadId });
  for (const Key of [key, tailKeyOf(key)])
    await bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.name, Key }));
}
