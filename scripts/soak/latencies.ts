import { percentile } from '../../bench/row.ts';

/** How long calls took, by what they were for. */
export class Latencies {
  readonly #byKind = new Map<string, number[]>();

  add(kind: string, ms: number): void {
    const all = this.#byKind.get(kind);
    if (all) all.push(ms);
    else this.#byKind.set(kind, [ms]);
  }

  get count(): number {
    return this.#byKind.values().reduce((sum, all) => sum + all.length, 0);
  }

  /** Milliseconds that this share of all calls stayed below. */
  percentile(share: number): number {
    return percentile([...this.#byKind.values()].flat(), share);
  }

  print(): void {
    console.table(
      Object.fromEntries(
        [...this.#byKind, ['all', [...this.#byKind.values()].flat()] as const].map(([kind, all]) => [
          kind,
          {
            calls: all.length,
            'median ms': round(percentile(all, 0.5)),
            '95 %': round(percentile(all, 0.95)),
            '99 %': round(percentile(all, 0.99)),
            longest: round(Math.max(...all)),
          },
        ]),
      ),
    );
  }
}

const round = (ms: number) => Math.round(ms * 10) / 10;
