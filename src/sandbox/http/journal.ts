/** A received request. `status` and `bytes` are updated during the response. */
export interface JournalEntry {
  method: string;
  path: string;
  query: Record<string, string>;
  range: string | null;
  /** 0 until headers are sent; stays 0 if a fault closed the connection before. */
  status: number;
  /** Body bytes written to the connection. */
  bytes: number;
  /** Time of arrival in milliseconds since 1970. */
  at: number;
}

export interface JournalCounters {
  requests: number;
  bytes: number;
  byStatus: Record<string, number>;
  /** Keyed by the first segment of the path, such as `interview-service` or `media`. */
  byMount: Record<string, { requests: number; bytes: number; active: number; peakActive: number }>;
}

type MountCount = JournalCounters['byMount'][string];

/** The last `capacity` requests, oldest first, and counters of all requests. */
export class Journal {
  #entries: JournalEntry[] = [];
  #mounts = new Map<string, MountCount>();
  #statuses = new Map<number, number>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Returns the recorded requests, oldest first; `path` selects those whose path contains it. */
  list(path = ''): JournalEntry[] {
    return this.#entries.slice(-this.#capacity).filter((entry) => entry.path.includes(path));
  }

  counters(): JournalCounters {
    const mounts = [...this.#mounts.values()];
    return {
      requests: mounts.reduce((sum, { requests }) => sum + requests, 0),
      bytes: mounts.reduce((sum, { bytes }) => sum + bytes, 0),
      byStatus: Object.fromEntries(this.#statuses),
      byMount: Object.fromEntries([...this.#mounts].map(([name, count]) => [name, { ...count }])),
    };
  }

  /** Deletes everything. Requests in progress count as active until they end. */
  clear(): void {
    this.#entries = [];
    this.#statuses.clear();
    for (const count of this.#mounts.values()) {
      Object.assign(count, { requests: 0, bytes: 0, peakActive: count.active });
    }
  }

  /** Records a request; the methods of the result record its outcome. */
  arrived(entry: JournalEntry) {
    this.#entries.push(entry);
    // Trimmed in large steps, because trimming per request would copy the whole list each time.
    if (this.#entries.length >= 2 * this.#capacity) this.#entries = this.#entries.slice(-this.#capacity);
    const count = this.#mountOf(entry.path);
    count.requests += 1;
    count.active += 1;
    count.peakActive = Math.max(count.peakActive, count.active);
    return {
      headersSent: (status: number) => {
        entry.status = status;
        this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
      },
      bytesSent: (bytes: number) => {
        entry.bytes += bytes;
        count.bytes += bytes;
      },
      ended: () => {
        count.active -= 1;
      },
    };
  }

  #mountOf(path: string): MountCount {
    const name = path.split('/', 2)[1] ?? '';
    const known = this.#mounts.get(name) ?? { requests: 0, bytes: 0, active: 0, peakActive: 0 };
    this.#mounts.set(name, known);
    return known;
  }
}
