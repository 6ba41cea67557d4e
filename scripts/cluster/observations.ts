import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Latencies } from '../soak/measurements.ts';

/** Requests that an outage may fail. */
type AffectedRequests = 'all' | 'files';

interface Outage {
  affected: AffectedRequests;
  /** Milliseconds of `performance.now()`. */
  from: number;
  to: number;
}

/** The failures and latencies that users experienced outside the outages that the test caused. */
export class Observations {
  readonly latencies = new Latencies();
  readonly #outages: Outage[] = [];
  readonly #problems = new Map<string, number>();
  readonly #tolerated = new Map<AffectedRequests, number>();
  /** Users and outside services run in this process, so its delays are part of the durations. */
  readonly #delays = monitorEventLoopDelay({ resolution: 10 });
  brokenRanges = 0;
  /** Changes that failed while that is not judged. */
  failedChanges = 0;

  constructor() {
    this.#delays.enable();
  }

  /** Counts the duration of a user's request, except during an outage. */
  readonly measured = {
    add: (kind: string, ms: number): void => {
      const now = performance.now();
      if (!this.#outages.some(({ from, to }) => from <= now && to >= now - ms)) this.latencies.add(kind, ms);
    },
  };

  /**
   * Counts a failed request, in an outage or not. Messages contain the path.
   * @param beganAt when the request was sent: one sent during an outage may fail after its end
   */
  readonly onProblem = (message: string, beganAt = performance.now()): void => {
    const now = performance.now();
    const isFile = message.includes('/api/files/');
    const outage = this.#outages.find(
      ({ from, to, affected }) => from <= now && beganAt <= to && (affected === 'all' || isFile),
    );
    if (outage) this.#tolerated.set(outage.affected, (this.#tolerated.get(outage.affected) ?? 0) + 1);
    else this.addProblem(message);
  };

  /**
   * Counts a problem, also during an outage. Messages that differ only in queries, ids or further
   * lines are counted together.
   */
  addProblem(message: string): void {
    const [line = ''] = message.split('\n');
    const text = line.replace(/\?[\w=&%.-]+/, '').replace(/(iv_[\w.-]+|[0-9a-f]{8}-[\w-]{20,})/g, '…');
    this.#problems.set(text, (this.#problems.get(text) ?? 0) + 1);
  }

  /** Runs `work`, which causes an outage. Requests that fail until its end are not failures. */
  async during(affected: AffectedRequests, work: () => Promise<void>): Promise<void> {
    const outage = { affected, from: performance.now(), to: Number.POSITIVE_INFINITY };
    this.#outages.push(outage);
    await work();
    outage.to = performance.now();
  }

  /** Failed requests outside the outages, by message. */
  get problems(): string[] {
    return [...this.#problems].map(([message, count]) => `${count} × ${message}`);
  }

  get summary(): string {
    const seconds = this.#outages.reduce((sum, { from, to }) => sum + (to - from) / 1_000, 0);
    const failed = [...this.#tolerated.values()].reduce((sum, count) => sum + count, 0);
    return (
      `${this.latencies.count} requests outside ${this.#outages.length} outages of ${seconds.toFixed(0)} s, in which ${failed} failed. ` +
      `${this.brokenRanges} responses of recordings ended early and were continued, ${this.failedChanges} changes failed at processes that may lose one. ` +
      `The test itself was up to ${(this.#delays.percentile(99) / 1e6).toFixed(0)} ms late (99 %).`
    );
  }
}
