import { LRUCache } from 'lru-cache';
import type { Database } from '#server/db/database.ts';
import type { FileKind } from '#server/ports/file-store.ts';
import { isFunnelVisible, visibleFunnels } from '#server/request-context.ts';
import { findInterviewOfFile } from './interview-files.repo.ts';

/** About 3 MB when full. */
const MAX_FILES = 10_000;
/** A player sends a request for every range. */
const MAX_AGE_MS = 60_000;

/**
 * Decides whether the caller sees the interview of a stored file. Remembers the funnel of a file
 * and not the decision, so that a change of an account's funnels applies to its next request.
 */
export class VisibleFiles {
  readonly #db: Database;
  readonly #funnels = new LRUCache<string, number>({ max: MAX_FILES, ttl: MAX_AGE_MS });

  constructor(db: Database) {
    this.#db = db;
  }

  /** False for a file of no interview, unless the caller sees all funnels. */
  async isVisible(kind: FileKind, name: string): Promise<boolean> {
    if (visibleFunnels() === null) return true;
    // PostgreSQL rejects the query.
    if (name.includes('\0')) return false;
    const key = `${kind} ${name}`;
    const funnelId = this.#funnels.get(key) ?? (await findInterviewOfFile(this.#db, kind, name))?.funnel_id;
    if (funnelId === undefined) return false;
    this.#funnels.set(key, funnelId);
    return isFunnelVisible(funnelId);
  }
}
