import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import PQueue from 'p-queue';
import type { Bucket } from './bucket.ts';
import { isMissingObject } from './s3-error.ts';
import { type LocalBytes, sendBytes } from './upload.ts';

/** An upload in parts that several calls, also of other processes, continue. */
export interface MultipartUpload {
  bucket: Bucket;
  key: string;
  uploadId: string;
}

export interface SentPart extends CompletedPart {
  size: number;
}

const COPIES_AT_ONCE = 4;

const namesOf = ({ bucket, key, uploadId }: MultipartUpload) => ({ Bucket: bucket.name, Key: key, UploadId: uploadId });

export async function startMultipart(bucket: Bucket, key: string): Promise<MultipartUpload> {
  const { UploadId = '' } = await bucket.client.send(
    new CreateMultipartUploadCommand({ Bucket: bucket.name, Key: key }),
  );
  return { bucket, key, uploadId: UploadId };
}

/** Returns the arrived parts in order, or null when the upload was completed or aborted. */
export async function listParts(upload: MultipartUpload): Promise<SentPart[] | null> {
  const parts: SentPart[] = [];
  try {
    // The client's paginator never ends with services that return a marker on the last page.
    for (let PartNumberMarker: string | undefined; ; ) {
      const page = await upload.bucket.client.send(new ListPartsCommand({ ...namesOf(upload), PartNumberMarker }));
      for (const { PartNumber, ETag, Size = 0 } of page.Parts ?? []) parts.push({ PartNumber, ETag, size: Size });
      if (!page.IsTruncated) return parts;
      PartNumberMarker = page.NextPartNumberMarker;
    }
  } catch (error) {
    if (isMissingObject(error)) return null;
    throw error;
  }
}

export async function sendPart(upload: MultipartUpload, PartNumber: number, part: LocalBytes): Promise<SentPart> {
  const { bucket } = upload;
  const { ETag } = await sendBytes(bucket, part, (content) =>
    bucket.client.send(new UploadPartCommand({ ...namesOf(upload), PartNumber, ...content })),
  );
  return { PartNumber, ETag, size: part.size };
}

export async function completeMultipart(upload: MultipartUpload, parts: readonly CompletedPart[]): Promise<void> {
  const Parts = parts.map(({ PartNumber, ETag }) => ({ PartNumber, ETag }));
  await upload.bucket.client.send(
    new CompleteMultipartUploadCommand({ ...namesOf(upload), MultipartUpload: { Parts } }),
  );
}

/** Does nothing when the upload was completed or aborted. */
export async function abortMultipart(upload: MultipartUpload): Promise<void> {
  await upload.bucket.client.send(new AbortMultipartUploadCommand(namesOf(upload))).catch((error: unknown) => {
    if (!isMissingObject(error)) throw error;
  });
}

/** Copies an object within the service; its bytes do not pass through this process. */
export async function copyObject(
  bucket: Bucket,
  { from, to, size, partBytes }: { from: string; to: string; size: number; partBytes: number },
): Promise<void> {
  const { client, name } = bucket;
  const CopySource = [name, ...from.split('/')].map(encodeURIComponent).join('/');
  if (size <= partBytes) {
    await client.send(new CopyObjectCommand({ Bucket: name, Key: to, CopySource }));
    return;
  }
  const upload = await startMultipart(bucket, to);
  try {
    const queue = new PQueue({ concurrency: COPIES_AT_ONCE });
    const copyPart = async (_: unknown, index: number): Promise<CompletedPart> => {
      const start = index * partBytes;
      const CopySourceRange = `bytes=${start}-${Math.min(size, start + partBytes) - 1}`;
      const part = { ...namesOf(upload), PartNumber: index + 1, CopySource, CopySourceRange };
      const { CopyPartResult } = await queue.add(() => client.send(new UploadPartCopyCommand(part)));
      return { PartNumber: index + 1, ETag: CopyPartResult?.ETag };
    };
    const parts = await Promise.all(Array.from({ length: Math.ceil(size / partBytes) }, copyPart));
    await completeMultipart(upload, parts);
  } catch (error) {
    await abortMultipart(upload).catch(() => {});
    throw error;
  }
}
