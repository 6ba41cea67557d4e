import { ListMultipartUploadsCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { FILE_FOLDERS, type FileKind } from '#server/ports/file-store.ts';
import type { Bucket } from './bucket.ts';
import { findTail, removeIncoming, TAIL } from './incoming-objects.ts';
import { abortMultipart, type MultipartUpload } from './multipart.ts';
import { s3Error } from './s3-error.ts';

const isOlder = (date: Date | undefined, ms: number) => date !== undefined && Date.now() - date.getTime() >= ms;

/**
 * Aborts uploads in parts that began at least `ageMs` ago, and removes files that are being
 * received and to which nothing was added for that long: a killed process leaves its parts in the
 * bucket, where they take space and no listing shows them. Several processes may do this
 * concurrently.
 * @throws FileStoreError
 */
export async function abortUploads(bucket: Bucket, ageMs: number): Promise<void> {
  try {
    for (const kind of Object.keys(FILE_FOLDERS) as FileKind[]) {
      await abortIn(bucket, bucket.folderOf(kind), { ageMs, isNeeded: async () => false });
      const incoming = bucket.incomingFolderOf(kind);
      await removeIncomingIn(bucket, incoming, ageMs);
      await abortIn(bucket, incoming, { ageMs, isNeeded: isReceived });
    }
  } catch (error) {
    throw s3Error(error, bucket, 'write');
  }
}

/** True when a later request continues the upload. */
const isReceived = async ({ bucket, key, uploadId }: MultipartUpload) =>
  (await findTail(bucket, key))?.uploadId === uploadId;

interface Abandoned {
  ageMs: number;
  isNeeded(upload: MultipartUpload): Promise<boolean>;
}

async function abortIn(bucket: Bucket, Prefix: string, { ageMs, isNeeded }: Abandoned): Promise<void> {
  for (let marker = {}; ; ) {
    const page = await bucket.client.send(new ListMultipartUploadsCommand({ Bucket: bucket.name, Prefix, ...marker }));
    for (const { Key = '', UploadId = '', Initiated } of page.Uploads ?? []) {
      const upload = { bucket, key: Key, uploadId: UploadId };
      if (isOlder(Initiated, ageMs) && !(await isNeeded(upload))) await abortMultipart(upload);
    }
    if (!page.IsTruncated) return;
    marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
  }
}

async function removeIncomingIn(bucket: Bucket, Prefix: string, ageMs: number): Promise<void> {
  for await (const { Contents = [] } of paginateListObjectsV2(bucket, { Bucket: bucket.name, Prefix }))
    for (const { Key = '', LastModified } of Contents)
      if (Key.endsWith(TAIL) && isOlder(LastModified, ageMs)) await removeIncoming(bucket, Key.slice(0, -TAIL.length));
}
