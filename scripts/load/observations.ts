import { createHistogram, monitorEventLoopDelay, type RecordableHistogram } from 'node:perf_hooks';
import { printColumns } from '../../bench/row.ts';

/** Requests that an outage may fail. */
type AffectedRequests = 'all' | 'files';

interface Outage {
  affected: AffectedRequests;
  /** Milliseconds of `performance.now()`. */
  from: number;
  to: number;
}

/**
 * Failures of a kind that users repeat: recordings that end early, and changes while processes end.
 */
type Repeated = 'brokenRange' | 'failedChange';

/** The durations of calls, by kind. */
class Latencies {
  readonly #all = createHistogram();
  readonly #byKind = new Map<string, RecordableHistogram>();

  add(kind: string, ms: number): void {
    const durations = this.#byKind.get(kind) ?? createHistogram();
    this.#byKind.set(kind, durations);
    const microseconds = Math.max(1, Math.round(ms * 1_000));
    for (const histogram of [durations, this.#all]) histogram.record(microseconds);
  }

  get count(): number {
    return this.#all.count;
  }

  /** In milliseconds. */
  get p99(): number {
    return this.#all.percentile(99) / 1_000;
  }

  print(): void {
    const lines = [...this.#byKind, ['all', this.#all] as const].map(([kind, durations]) => {
      const ms = [50, 95, 99, 100].map((percentage) => (durations.percentile(percentage) / 1_000).toFixed(1));
      return [String(durations.count), ...ms, kind];
    });
    printColumns([['calls', 'median ms', '95 %', '99 %', 'longest', 'kind'], ...lines]);
  }
}

/** The failures and latencies that users experienced outside the outages that the test caused. */
export class Observations {
  readonly latencies = new Latencies();
  readonly #outages: Outage[] = [];
  readonly #problems = new Map<string, number>();
  /** Users and outside services run in this process, so its delays are part of the durations. */
  readonly #delays = monitorEventLoopDelay({ resolution: 10 });
  /** The failures that users repeat and that are counted, but are not problems. */
  readonly tolerates: Set<Repeated>;
  readonly #repeated = { brokenRange: 0, failedChange: 0 };
  #failedInOutages = 0;

  constructor(...tolerates: readonly Repeated[]) {
    this.tolerates = new Set(tolerates);
    this.#delays.enable();
  }

  /** Counts the duration of a user's request, except during an outage. */
  addDuration(kind: string, ms: number): void {
    if (this.#outagesSince(performance.now() - ms).length === 0) this.latencies.add(kind, ms);
  }

  /** @param beganAt as in `onProblem` */
  onRepeated(kind: Repeated, message: string, beganAt: number): void {
    if (this.tolerates.has(kind)) this.#repeated[kind] += 1;
    else this.onProblem(message, beganAt);
  }

  /**
   * Counts a failed request, in an outage or not. Messages contain the path.
   * @param beganAt when the request was sent: one sent during an outage may fail after its end
   */
  onProblem(message: string, beganAt = performance.now()): void {
    const isFile = message.includes('/api/files/');
    const isInOutage = this.#outagesSince(beganAt).some(({ affected }) => affected === 'all' || isFile);
    if (isInOutage) this.#failedInOutages += 1;
    else this.addProblem(message);
  }

  /**
   * Counts a problem, also during an outage. Messages that differ only in queries, ids or further
   * lines are counted together.
   */
  addProblem(message: string): void {
    const [line = ''] = message.split('\n');
    const text = line.replace(/\?[\w=&%.-]+/, '').replace(/(iv_[\w.-]+|[0-9a-f]{8}-[\w-]{20,})/g, '…');
    this.#problems.set(text, (this.#problems.get(text) ?? 0) + 1);
  }

  #outagesSince(beganAt: number): Outage[] {
    return this.#outages.filter(({ to }) => to >= beganAt);
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
    return (
      `${this.latencies.count} requests outside ${this.#outages.length} outages of ${seconds.toFixed(0)} s, in which ${this.#failedInOutages} failed. ` +
      `${this.#repeated.brokenRange} responses of recordings ended early and were continued, ${this.#repeated.failedChange} changes failed at processes that may lose one. ` +
      `The test itself was up to ${(this.#delays.percentile(99) / 1e6).toFixed(0)} ms late (99 %).`
    );
  }
}
