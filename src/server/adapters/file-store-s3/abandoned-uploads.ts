import { AbortMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { FILE_FOLDERS, type FileKind } from '#server/ports/file-store.ts';
import type { Bucket } from './bucket.ts';
import { isMissingObject, s3Error } from './s3-error.ts';

/**
 * Aborts uploads in parts that began at least `ageMs` ago: a killed process leaves its parts in the
 * bucket, where they take space and no listing shows them. Several processes may do this at once.
 * @throws FileStoreError
 */
export async function abortUploads(bucket: Bucket, ageMs: number): Promise<void> {
  try {
    for (const kind of Object.keys(FILE_FOLDERS) as FileKind[]) await abortIn(bucket, bucket.folderOf(kind), ageMs);
  } catch (error) {
    throw s3Error(error, bucket, 'write');
  }
}

async function abortIn({ client, name: Bucket }: Bucket, Prefix: string, ageMs: number): Promise<void> {
  for (let marker = {}; ; ) {
    const page = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix, ...marker }));
    for (const { Key, UploadId, Initiated } of page.Uploads ?? [])
      if (Initiated && Date.now() - Initiated.getTime() >= ageMs)
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch((error: unknown) => {
          // Another process was faster.
          if (!isMissingObject(error)) throw error;
        });
    if (!page.IsTruncated) return;
    marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
  }
}
