import { LRUCache } from 'lru-cache';
import { batch } from '#server/async/single-flight.ts';
import type { Database } from '#server/db/database.ts';
import type { LiveBus } from '#server/live/bus.ts';
import { listOpenable, type OpenableShare } from './guests.repo.ts';
import { hashOfToken } from './share-tokens.ts';

interface CachedLinksDeps {
  db: Database;
  bus: LiveBus;
}

/** About 10 MB when full. */
const MAX_LINKS = 2_000;
/** A connection can break unnoticed, so a link is used for at most this long without a query. */
const MAX_AGE_MS = 60_000;

/**
 * Looks links up by token: in memory, or in the database while announcements cannot be received,
 * like sessions (decision 0003). Triggers announce every change of a link or its content.
 */
export class CachedLinks {
  readonly #deps: CachedLinksDeps;
  readonly #links = new LRUCache<string, OpenableShare>({ max: MAX_LINKS });
  /** A statement begins after its callers have arrived, so that it reads no older state. */
  readonly #read = batch((hashes: readonly Buffer[]) => listOpenable(this.#deps.db, hashes));
  #generation = 0;

  constructor(deps: CachedLinksDeps) {
    this.#deps = deps;
    deps.bus.on('links', () => this.clear());
    deps.bus.onGap(() => this.clear());
  }

  /** Returns a link in memory without a promise. */
  find(token: string): OpenableShare | Promise<OpenableShare | undefined> {
    const cached = this.#deps.bus.connected ? this.#links.get(token) : undefined;
    return cached ?? this.read(token);
  }

  /** Reads the link from the database. Undefined for a link that does not work. */
  async read(token: string): Promise<OpenableShare | undefined> {
    const hash = hashOfToken(token);
    // A change that is announced during the query may be newer than the query's result.
    const generation = this.#generation;
    const start = performance.now();
    const share = (await this.#read(hash)).find(({ tokenHash }) => tokenHash.equals(hash));
    if (share && this.#deps.bus.connected && generation === this.#generation)
      this.#links.set(token, share, { start, ttl: Math.min(MAX_AGE_MS, share.remainingMs) });
    return share;
  }

  /** Called after a change in this process, whose announcement arrives a moment later. */
  clear(): void {
    this.#generation += 1;
    this.#links.clear();
  }
}
