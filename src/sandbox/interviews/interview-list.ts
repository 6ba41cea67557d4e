import type { ServiceInterview } from '#sandbox/interview.ts';

interface Item {
  interview: ServiceInterview;
  /** Milliseconds. Null sorts last and no date filter matches it. */
  createdAt: number | null;
  body: Buffer;
}

export interface ListFilter {
  /** Exclusive, in milliseconds. */
  createdAfter: number | null;
  /** Inclusive, in milliseconds. */
  createdBefore: number | null;
}

/** The interviews of one funnel, newest first, each stored as the bytes that are sent. */
export class InterviewList {
  #items: Item[] = [];
  #byId = new Map<string, ServiceInterview>();
  readonly #origin: string;

  constructor(origin: string, interviews: readonly ServiceInterview[]) {
    this.#origin = origin;
    this.add(interviews);
  }

  get interviews(): ServiceInterview[] {
    return this.#items.map(({ interview }) => interview);
  }

  find(id: string): ServiceInterview | undefined {
    return this.#byId.get(id);
  }

  /** Interviews with an existing id replace the old ones. */
  add(interviews: readonly ServiceInterview[]): void {
    // Malformed interviews without an id never replace each other.
    const ids = new Set(interviews.map(({ id }) => id).filter((id) => typeof id === 'string'));
    const kept = this.#items.filter(({ interview }) => !ids.has(interview.id));
    this.#replaceItems([...kept, ...interviews.map((interview) => this.#item(interview))].sort(newestFirst));
  }

  remove(id: string): boolean {
    const wasThere = this.#byId.has(id);
    this.#replaceItems(this.#items.filter(({ interview }) => interview.id !== id));
    return wasThere;
  }

  /**
   * Returns the number of matches, and a function for the bytes and interviews from `start` to
   * before `end`.
   */
  select({ createdAfter, createdBefore }: ListFilter) {
    const isFiltered = createdAfter !== null || createdBefore !== null;
    const known = isFiltered ? this.#firstWhere((at) => at === null) : this.#items.length;
    const from = createdBefore === null ? 0 : this.#firstWhere((at) => at === null || at <= createdBefore);
    const to = createdAfter === null ? known : this.#firstWhere((at) => at === null || at <= createdAfter);
    const total = Math.max(0, to - from);
    return {
      total,
      slice: (start: number, end: number) => this.#items.slice(from + Math.max(0, start), from + Math.min(total, end)),
    };
  }

  /**
   * Binary search for the first item that satisfies the condition; all later items satisfy it too.
   */
  #firstWhere(isMatch: (createdAt: number | null) => boolean): number {
    let low = 0;
    let high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isMatch(this.#items[middle]?.createdAt ?? null)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #replaceItems(items: Item[]): void {
    this.#items = items;
    this.#byId = new Map(items.map(({ interview }) => [interview.id, interview]));
  }

  #item(interview: ServiceInterview): Item {
    const createdAt = Date.parse(interview.createdAt ?? '');
    const absolute = { ...interview };
    for (const key of ['videoUrl', 'thumbnailUrl'] as const) {
      const url = absolute[key];
      if (typeof url === 'string' && url.startsWith('/')) absolute[key] = this.#origin + url;
    }
    return {
      interview,
      createdAt: Number.isNaN(createdAt) ? null : createdAt,
      body: Buffer.from(JSON.stringify(absolute)),
    };
  }
}

const newestFirst = (a: Item, b: Item) => (b.createdAt ?? -Infinity) - (a.createdAt ?? -Infinity) || 0;
