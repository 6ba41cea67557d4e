import { rm } from 'node:fs/promises';
import { DeleteObjectCommand, HeadBucketCommand, PutObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import PQueue from 'p-queue';
import { probeDisk } from '#server/adapters/file-store-local/disk-room.ts';
import { expectSharedName } from '#server/adapters/file-store-local/local-partial-file.ts';
import { PartialFiles } from '#server/adapters/file-store-local/partial-files.ts';
import {
  ABANDONED_AFTER_MS,
  type FileKind,
  FileStoreError,
  isFileName,
  type RemoteFileStore,
} from '#server/ports/file-store.ts';
import { abortUploads } from './abandoned-uploads.ts';
import { Bucket, type S3Settings } from './bucket.ts';
import { contentEtag, haveSameBytes } from './content-etag.ts';
import { IncomingFile, type IncomingPlace } from './incoming-file.ts';
import { removeIncoming } from './incoming-objects.ts';
import { copyObject } from './multipart.ts';
import { ObjectReader } from './object-reader.ts';
import { RecentObjects } from './recent-objects.ts';
import { s3Error } from './s3-error.ts';
import { S3ReadableFile } from './s3-readable-file.ts';
import { uploaderTo } from './upload.ts';

export interface S3StoreOptions extends S3Settings {
  /** A folder of this machine for files that are being written. */
  spoolFolder: string;
  /** Uploads and partial files are removed after this time. */
  abandonedAfterMs?: number;
  /** Larger objects are copied in parts of this size. */
  copyPartBytes?: number;
}

const DELETES_AT_ONCE = 8;
/** The browser sends pieces of such a size, so that most end with a part. */
const INCOMING_PART_BYTES = 8 * 2 ** 20;
const MAX_PARTS = 10_000;
/** A service copies as much within seconds, and responds before a timeout. */
const COPY_PART_BYTES = 512 * 2 ** 20;
/** In between, a probe only asks for the bucket. */
const WRITE_PROBE_INTERVAL_MS = 60_000;

interface BucketParts extends Pick<S3StoreOptions, 'spoolFolder'> {
  bucket: Bucket;
  recent: RecentObjects;
  reader: ObjectReader;
  partialFiles: PartialFiles;
  copyPartBytes: number;
  abandonedAfterMs: number;
  removeObject(key: string): Promise<void>;
}

/**
 * Stores files in a bucket, `<prefix>videos/` and `<prefix>thumbnails/`. A file is written into a
 * local folder and uploaded by `commit`, so an interrupted download continues on the same machine.
 * Shared files are received into `<prefix>incoming/` and copied from there.
 */
export function s3FileStore(options: S3StoreOptions): RemoteFileStore {
  const { spoolFolder, abandonedAfterMs = ABANDONED_AFTER_MS, copyPartBytes = COPY_PART_BYTES } = options;
  const bucket = new Bucket(options);
  const recent = new RecentObjects(bucket);
  const reader = new ObjectReader(bucket, {
    onUnchanged: (key) => recent.extend(key),
    onChanged: (key) => recent.evict(key),
  });
  const upload = uploaderTo(bucket);
  const removeObject = objectRemover(bucket, recent);
  const partialFiles = new PartialFiles({
    directory: spoolFolder,
    folder: spoolFolder,
    async publish({ kind, name, path }, complete) {
      const key = bucket.keyOf(kind, name);
      await complete.expectNotReplaced();
      const etag = await upload(key, complete);
      // The object did not exist yet for a removal during the upload.
      await complete.expectNotReplaced().catch(async (error: unknown) => {
        await removeObject(key);
        throw error;
      });
      await recent.add(key, path, etag);
      await rm(path, { force: true });
    },
  });
  const parts = { bucket, recent, reader, partialFiles, removeObject, spoolFolder, copyPartBytes, abandonedAfterMs };
  return { ...readingFrom(parts), ...writingTo(parts), probe: probeOf(bucket, spoolFolder) };
}

const objectRemover = (bucket: Bucket, recent: RecentObjects) => async (key: string) => {
  recent.evict(key);
  try {
    await bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.name, Key: key }));
  } catch (error) {
    throw s3Error(error, bucket, 'write');
  }
  recent.evict(key);
};

type Writing = Pick<RemoteFileStore, 'resume' | 'resumeShared' | 'uploadRoom' | 'remove' | 'removeAbandoned'>;

function readingFrom({ bucket, recent, reader }: BucketParts): Omit<RemoteFileStore, keyof Writing | 'probe'> {
  return {
    stat: async (kind, name) => (isFileName(name) ? recent.stat(bucket.keyOf(kind, name)) : null),

    async findWritten(kind, names) {
      for (const name of names) {
        const file = recent.findUploaded(bucket.keyOf(kind, name));
        if (file) return { ...file, name };
      }
      return null;
    },

    async open(kind, name) {
      if (!isFileName(name)) return null;
      const key = bucket.keyOf(kind, name);
      const spooled = await recent.openSpooled(key);
      if (spooled) return spooled;
      const file = await recent.stat(key);
      return file && new S3ReadableFile(key, file, reader);
    },

    list: (kind) => listNames(bucket, kind),

    async hasContent(kind, name, content) {
      const key = bucket.keyOf(kind, name);
      const file = await recent.fetchStat(key);
      if (file?.size !== content.file.size) return false;
      if (file.etag === (await contentEtag(content))) return true;
      const stored = new S3ReadableFile(key, file, reader);
      return await haveSameBytes(content, stored).finally(() => stored.close());
    },

    signedUrl: (kind, name, headers) => bucket.signForBrowser(bucket.keyOf(kind, name), headers),

    async signedOrigin() {
      const key = bucket.keyOf('video', 'any');
      return new URL(await bucket.signForBrowser(key, { contentType: '', contentDisposition: '' })).origin;
    },
  };
}

function writingTo(parts: BucketParts): Writing {
  const { bucket, partialFiles, removeObject, abandonedAfterMs } = parts;
  return {
    resume: (kind, name) => partialFiles.resume(kind, name),
    resumeShared: sharedFiles(parts),
    uploadRoom: async () => null,

    async remove(kind, names) {
      const removeOne = async (name: string) => {
        await partialFiles.remove(kind, name);
        if (!name.includes('.')) await removeShared(bucket, kind, name);
        await removeObject(bucket.keyOf(kind, name));
      };
      const queue = new PQueue({ concurrency: DELETES_AT_ONCE });
      await queue.addAll(names.filter(isFileName).map((name) => () => removeOne(name)));
    },

    async removeAbandoned() {
      await abortUploads(bucket, abandonedAfterMs);
      await partialFiles.removeUnused(abandonedAfterMs);
    },
  };
}

function sharedFiles(parts: BucketParts): RemoteFileStore['resumeShared'] {
  const { bucket, recent, reader, spoolFolder } = parts;
  const receiving = new Set<string>();
  return async (kind, name, size) => {
    expectSharedName(name);
    const key = bucket.incomingFolderOf(kind) + name;
    if (receiving.has(key)) throw new FileStoreError('busy', `"${name}" is already being written.`);
    receiving.add(key);
    const onClosed = () => void receiving.delete(key);
    const place: IncomingPlace = {
      ...{ bucket, recent, reader, name, key, spoolFolder, onClosed },
      partBytes: Math.max(INCOMING_PART_BYTES, Math.ceil(size / MAX_PARTS)),
      publish: (finalName, bytes) =>
        publishIncoming(parts, { from: key, to: bucket.keyOf(kind, finalName), size: bytes }),
    };
    return IncomingFile.open(place).catch((error: unknown) => {
      onClosed();
      throw error;
    });
  };
}

/** Copies a complete incoming file, unless it was removed in the meantime. */
async function publishIncoming(
  { bucket, recent, removeObject, copyPartBytes }: BucketParts,
  { from, to, size }: { from: string; to: string; size: number },
): Promise<void> {
  await copyObject(bucket, { from, to, size, partBytes: copyPartBytes });
  recent.evict(to);
  if (await recent.fetchStat(from)) return;
  await removeObject(to);
  throw new FileStoreError('unavailable', 'The file was deleted while it was being written.');
}

async function removeShared(bucket: Bucket, kind: FileKind, name: string): Promise<void> {
  try {
    await removeIncoming(bucket, bucket.incomingFolderOf(kind) + name);
  } catch (error) {
    throw s3Error(error, bucket, 'write');
  }
}

/** Checks the local folder and the bucket. A bucket has no known limit. */
function probeOf(bucket: Bucket, spoolFolder: string): RemoteFileStore['probe'] {
  const key = `${bucket.prefix}probe-${process.pid}`;
  let writtenAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const spoolFreeBytes = await probeDisk(spoolFolder);
    const { client, name: Bucket } = bucket;
    const isWriteDue = performance.now() - writtenAt >= WRITE_PROBE_INTERVAL_MS;
    try {
      if (isWriteDue) {
        await client.send(new PutObjectCommand({ Bucket, Key: key, Body: 'probe' }));
        await client.send(new DeleteObjectCommand({ Bucket, Key: key }));
        writtenAt = performance.now();
      } else await client.send(new HeadBucketCommand({ Bucket }));
    } catch (error) {
      writtenAt = Number.NEGATIVE_INFINITY;
      throw s3Error(error, bucket, isWriteDue ? 'write' : 'read');
    }
    return { freeBytes: null, spoolFreeBytes };
  };
}

async function* listNames(bucket: Bucket, kind: FileKind): AsyncGenerator<string> {
  const Prefix = bucket.folderOf(kind);
  try {
    for await (const { Contents = [] } of paginateListObjectsV2(bucket, { Bucket: bucket.name, Prefix }))
      for (const { Key = '' } of Contents) if (isFileName(Key.slice(Prefix.length))) yield Key.slice(Prefix.length);
  } catch (error) {
    throw s3Error(error, bucket, 'read');
  }
}
