import { readdir } from 'node:fs/promises';
import { residentMb } from '../../bench/resident-mb.ts';

const SAMPLE_INTERVAL_MS = 5_000;

/** Samples the memory and the open files and sockets of a process. */
export class ProcessSamples {
  readonly #samples: { residentMb: number; handles: number }[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(pid: number) {
    const sample = async () => {
      const handles = (await readdir(`/proc/${pid}/fd`)).length;
      this.#samples.push({ residentMb: await residentMb(pid), handles });
    };
    this.#timer = setInterval(() => void sample().catch(() => {}), SAMPLE_INTERVAL_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Returns the average of the last quarter, and the growth during the second half. */
  growth(of: 'residentMb' | 'handles'): { average: number; grown: number } {
    const quarter = Math.floor(this.#samples.length / 4);
    const values = this.#samples.map((sample) => sample[of]);
    const [before, average] = [mean(values.slice(-2 * quarter, -quarter)), mean(values.slice(-quarter))];
    // The middles of the two quarters are half of that time apart.
    return { average, grown: 2 * (average - before) };
  }
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
