import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { type S3StoreOptions, s3FileStore } from '#server/adapters/file-store-s3/s3-file-store.ts';
import { emptyFolder } from '../backups.ts';
import type { Swift } from './start-swift.ts';

/** `S3_BUCKET` and `S3_PREFIX`, as the product accepts them. */
type Variables = Record<string, string>;

/** Returns the keys of the objects below the prefix, without it. */
export async function listKeys({ client }: Swift, { S3_BUCKET, S3_PREFIX = '' }: Variables): Promise<string[]> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: S3_BUCKET, Prefix: S3_PREFIX }));
  return Contents.map(({ Key = '' }) => Key.slice(S3_PREFIX.length));
}

/** Returns the keys of the uploads in parts that did not end, without the prefix. */
export async function listUploads({ client }: Swift, { S3_BUCKET, S3_PREFIX = '' }: Variables): Promise<string[]> {
  const uploads = await client.send(new ListMultipartUploadsCommand({ Bucket: S3_BUCKET, Prefix: S3_PREFIX }));
  return (uploads.Uploads ?? []).map(({ Key = '' }) => Key.slice(S3_PREFIX.length));
}

export async function openStore(
  { endpoint, credentials }: Swift,
  { S3_BUCKET = '', S3_PREFIX = '' }: Variables,
  more: Partial<S3StoreOptions> = {},
) {
  return s3FileStore({
    endpoint,
    region: 'us-east-1',
    bucket: S3_BUCKET,
    prefix: S3_PREFIX,
    forcePathStyle: true,
    credentials,
    spoolFolder: await emptyFolder(),
    ...more,
  });
}
