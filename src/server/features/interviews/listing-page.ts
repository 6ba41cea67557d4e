import type { Database } from '../../db/database.ts';
import { DayCounter, type DayCounts } from './day-counts.ts';
import type { InterviewRow } from './interviews.view.ts';
import type { ListingFilter } from './listing-filter.ts';
import { Recent } from './listing-memory.ts';
import { placeOf } from './listing-place.ts';
import { findPage, type PageRows, readKnownPage } from './listing-rows.ts';

export interface PageRequest {
  filter: ListingFilter;
  page: number;
  limit: number;
  texts: boolean;
}

/** Which interviews a page had at a version of the listing. */
interface KnownPage {
  version: number;
  ids: string[];
}

/**
 * Tries while interviews change under the reader. After them its interviews are as they are now, but the total, and the place of the page
 * that was counted with it, are some milliseconds older: by what came or went meanwhile, the page begins too early or too late.
 */
const TRIES = 4;
/** Pages remembered at the same time; one of ten interviews takes about 1 KB, and a page has a hundred at most. */
const REMEMBERED = 500;

/** The interview list: any page of any filter with its exact total, in about the time of reading ten rows. */
export class InterviewListing {
  readonly #db: Database;
  readonly #counter: DayCounter;
  readonly #pages = new Recent<KnownPage>(REMEMBERED);

  constructor(db: Database) {
    this.#db = db;
    this.#counter = new DayCounter(db);
  }

  /** A page and the total of the same moment. */
  async read(request: PageRequest): Promise<{ rows: InterviewRow[]; total: number }> {
    let counts = await this.#counter.lastKnown(request.filter);
    for (let tries = 1; ; tries += 1) {
      const { version, rows } = await this.#page(request, counts, tries < TRIES);
      if (version === counts.version || tries === TRIES) return { rows, total: counts.total };
      counts = await this.#counter.fresh(request.filter);
    }
  }

  /** By its ids, where they are known for the version of the counts: there are no rows then if that is no longer the version. */
  async #page(request: PageRequest, counts: DayCounts, mayMiss: boolean): Promise<PageRows> {
    const { filter, page, limit, texts } = request;
    const { version } = counts;
    const key = `${page} ${limit} ${filter.key}`;
    const known = this.#pages.get(key);
    if (mayMiss && known?.version === version) return readKnownPage(this.#db, { ...known, texts });

    const found = await findPage(this.#db, { filter, counts, place: placeOf(counts, request), texts });
    if (found.version === version) this.#pages.set(key, { version, ids: found.rows.map(({ id }) => id) });
    return found;
  }
}
