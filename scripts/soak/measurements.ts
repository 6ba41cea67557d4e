import { readdir } from 'node:fs/promises';
import { residentMb } from '../../bench/resident-mb.ts';
import { percentile } from '../../bench/row.ts';

/** The durations of calls, by kind. */
export class Latencies {
  readonly #byKind = new Map<string, number[]>();

  add(kind: string, ms: number): void {
    const durations = this.#byKind.get(kind);
    if (durations) durations.push(ms);
    else this.#byKind.set(kind, [ms]);
  }

  get #all(): number[] {
    return [...this.#byKind.values()].flat();
  }

  get count(): number {
    return this.#all.length;
  }

  /** Returns the milliseconds that this share (0 to 1) of all calls did not exceed. */
  percentile(share: number): number {
    return percentile(this.#all, share);
  }

  print(): void {
    const rows = [...this.#byKind, ['all', this.#all] as const].map(([kind, durations]) => [
      kind,
      {
        calls: durations.length,
        'median ms': round(percentile(durations, 0.5)),
        '95 %': round(percentile(durations, 0.95)),
        '99 %': round(percentile(durations, 0.99)),
        longest: round(Math.max(...durations)),
      },
    ]);
    console.table(Object.fromEntries(rows));
  }
}

const round = (ms: number) => Math.round(ms * 10) / 10;

const SAMPLE_INTERVAL_MS = 5_000;

interface Sample {
  minutes: number;
  residentMb: number;
  handles: number;
}

/** Samples the memory and the open files and sockets of a process. */
export class ProcessSamples {
  readonly #samples: Sample[] = [];
  readonly #pid: number;
  readonly #timer: NodeJS.Timeout;
  readonly #startedAt = performance.now();

  constructor(pid: number) {
    this.#pid = pid;
    this.#timer = setInterval(() => void this.#addSample().catch(() => {}), SAMPLE_INTERVAL_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Returns the average of the second half, and the growth during it by linear regression. */
  growth(of: 'residentMb' | 'handles'): { average: number; grown: number } {
    const half = this.#samples.slice(Math.floor(this.#samples.length / 2));
    const average = mean(half.map((sample) => sample[of]));
    const middle = mean(half.map(({ minutes }) => minutes));
    const spread = half.reduce((sum, { minutes }) => sum + (minutes - middle) ** 2, 0);
    const slope = half.reduce((sum, sample) => sum + (sample.minutes - middle) * (sample[of] - average), 0) / spread;
    return { average, grown: slope * ((half.at(-1)?.minutes ?? 0) - (half[0]?.minutes ?? 0)) };
  }

  async #addSample(): Promise<void> {
    const handles = (await readdir(`/proc/${this.#pid}/fd`)).length;
    const minutes = (performance.now() - this.#startedAt) / 60_000;
    this.#samples.push({ minutes, residentMb: await residentMb(this.#pid), handles });
  }
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
