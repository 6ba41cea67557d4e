import { LRUCache } from 'lru-cache';
import { LocalReadableFile } from '#server/adapters/file-store-local/local-readable-file.ts';
import { OpenFile } from '#server/adapters/file-store-local/open-file.ts';
import type { ReadableFile, StoredFile } from '#server/ports/file-store.ts';
import type { Bucket } from './bucket.ts';
import { s3Error } from './s3-error.ts';

/** Changes by another process become visible within this time. */
const KEEP_MS = 1_000;
const MAX_OBJECTS = 1_000;
/** A refresh measures a video right after storing it. */
const KEEP_SPOOLED_MS = 2_000;

interface SpooledObject {
  open: OpenFile;
  file: StoredFile;
}

/**
 * Keeps what is known about objects for a second, and longer while they are read, because a player
 * requests many ranges of one video. Keeps the local file of a new object open for a moment, so
 * that it is not downloaded again immediately.
 */
export class RecentObjects {
  readonly #bucket: Bucket;
  readonly #stats = new LRUCache<string, Promise<StoredFile | null>>({ max: MAX_OBJECTS, ttl: KEEP_MS });
  readonly #spooled = new Map<string, SpooledObject>();

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  /** Returns null for a missing object. @throws FileStoreError */
  stat(key: string): Promise<StoredFile | null> {
    const spooled = this.#spooled.get(key);
    if (spooled) return Promise.resolve(spooled.file);
    const known = this.#stats.get(key);
    if (known) return known;
    const asked = this.fetchStat(key);
    this.#stats.set(key, asked);
    asked.then(
      // Only an existing object is kept: a missing one may be stored by another process.
      (file) => file ?? this.#forget(key, asked),
      () => this.#forget(key, asked),
    );
    return asked;
  }

  /** The uploaded file at `path` may be deleted afterwards. */
  async add(key: string, path: string, etag: string): Promise<void> {
    this.evict(key);
    const open = await OpenFile.at(path);
    if (!open) return;
    const modifiedAt = new Date(Math.floor(Date.now() / 1_000) * 1_000);
    const spooled = { open, file: { size: open.file.size, modifiedAt, etag } };
    this.#spooled.set(key, spooled);
    setTimeout(() => this.#release(key, spooled), KEEP_SPOOLED_MS).unref();
  }

  /** Returns an object that this process has just uploaded. */
  findUploaded(key: string): StoredFile | null {
    return this.#spooled.get(key)?.file ?? null;
  }

  /** Opens the local file of a new object, if it is still there. */
  async openSpooled(key: string): Promise<ReadableFile | null> {
    const spooled = this.#spooled.get(key);
    if (!spooled?.open.acquire()) return null;
    const local = new LocalReadableFile(spooled.open, key);
    return { file: spooled.file, read: (buffer, at) => local.read(buffer, at), close: () => local.close() };
  }

  /** Keeps what is known about an object for another second. */
  extend(key: string): void {
    const known = this.#stats.get(key);
    if (known) this.#stats.set(key, known);
  }

  /** Call it after the object was deleted or replaced. */
  evict(key: string): void {
    this.#stats.delete(key);
    this.#release(key, this.#spooled.get(key));
  }

  #release(key: string, spooled: SpooledObject | undefined): void {
    if (!spooled || this.#spooled.get(key) !== spooled) return;
    this.#spooled.delete(key);
    void spooled.open.release();
  }

  #forget(key: string, asked: Promise<StoredFile | null>): void {
    if (this.#stats.peek(key) === asked) this.#stats.delete(key);
  }

  /** Like `stat`, but always from the service. */
  async fetchStat(key: string): Promise<StoredFile | null> {
    const found = await this.#bucket.findObject(key).catch((error: unknown) => {
      throw s3Error(error, this.#bucket, 'read');
    });
    if (!found) return null;
    const { ContentLength = 0, LastModified = new Date(0), ETag = '' } = found;
    return { size: ContentLength, modifiedAt: LastModified, etag: ETag.replaceAll('"', '') };
  }
}
