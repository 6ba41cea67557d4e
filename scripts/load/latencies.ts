import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

/** The durations of calls, by kind. */
export class Latencies {
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
    const rows = [...this.#byKind, ['all', this.#all] as const].map(([kind, durations]) => {
      const ms = (percentage: number) => Math.round(durations.percentile(percentage) / 100) / 10;
      return [kind, { calls: durations.count, 'median ms': ms(50), '95 %': ms(95), '99 %': ms(99), longest: ms(100) }];
    });
    console.table(Object.fromEntries(rows));
  }
}
