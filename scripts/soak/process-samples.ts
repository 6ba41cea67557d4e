import { readdir } from 'node:fs/promises';
import { residentMb } from '../../bench/resident-mb.ts';

const EVERY_MS = 5_000;

interface Sample {
  minutes: number;
  residentMb: number;
  handles: number;
}

/** What a process held, again and again: memory, and open files and sockets. */
export class ProcessSamples {
  readonly #samples: Sample[] = [];
  readonly #pid: number;
  readonly #timer: NodeJS.Timeout;
  readonly #startedAt = performance.now();

  constructor(pid: number) {
    this.#pid = pid;
    this.#timer = setInterval(() => void this.#take().catch(() => {}), EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** How much more it held at the end of the second half than at its beginning, by the straight line through all samples of that half. */
  growth(of: 'residentMb' | 'handles'): { average: number; grown: number } {
    const half = this.#samples.slice(Math.floor(this.#samples.length / 2));
    const average = mean(half.map((sample) => sample[of]));
    const middle = mean(half.map(({ minutes }) => minutes));
    const spread = half.reduce((sum, { minutes }) => sum + (minutes - middle) ** 2, 0);
    const slope = half.reduce((sum, sample) => sum + (sample.minutes - middle) * (sample[of] - average), 0) / spread;
    return { average, grown: slope * ((half.at(-1)?.minutes ?? 0) - (half[0]?.minutes ?? 0)) };
  }

  async #take(): Promise<void> {
    const handles = (await readdir(`/proc/${this.#pid}/fd`)).length;
    const minutes = (performance.now() - this.#startedAt) / 60_000;
    this.#samples.push({ minutes, residentMb: await residentMb(this.#pid), handles });
  }
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
