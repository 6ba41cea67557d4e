import { LRUCache } from 'lru-cache';
import type { FileKind } from '#server/ports/file-store.ts';
import type { ContentIdentity } from './download-try.ts';

interface FileName {
  kind: FileKind;
  name: string;
}

/** Many times the number of downloads that can be in progress. */
const MAX_FILES = 1_000;

/**
 * Keeps the identities of this process's partial files, so that a download that ended early, for
 * example because its URL expired, can continue later. Partial files of an earlier process are
 * unknown and restart.
 */
export class PartialDownloads {
  readonly #identities = new LRUCache<string, ContentIdentity & { size: number }>({ max: MAX_FILES });

  /** Returns false if nothing identifies the content. */
  remember(file: FileName, size: number, identity: ContentIdentity): boolean {
    if (identity.validator === null || size === 0) return false;
    this.#identities.set(keyOf(file), { ...identity, size });
    return true;
  }

  /** Removes the identity and returns it, or null if the partial file has another size. */
  pop(file: FileName, size: number): ContentIdentity | null {
    const identity = this.#identities.get(keyOf(file));
    this.#identities.delete(keyOf(file));
    return identity && identity.size === size ? identity : null;
  }
}

const keyOf = ({ kind, name }: FileName) => `${kind}/${name}`;
