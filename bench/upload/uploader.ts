import { peakOf, residentMb } from '../resident-mb.ts';
import { Child } from '../session/child.ts';
import { cpuSeconds } from '../video/cpu-seconds.ts';

/** What an uploading process is told: a video in a folder that a file store has. */
export interface UploadTask {
  folder: string;
  name: string;
  /** How the product reaches the stand-in. */
  variables: Record<string, string>;
}

const SCRIPTS = { ours: './ours.ts', bare: './bare.ts' };

/** Uploads with our adapter or with a bare PUT, in a process of its own. */
export class Uploader {
  readonly #child: Child;
  readonly #pid: Promise<number>;

  constructor(how: keyof typeof SCRIPTS) {
    this.#child = new Child(new URL(SCRIPTS[how], import.meta.url).href);
    this.#pid = this.#child.hear<{ pid: number }>().then(({ pid }) => pid);
  }

  /** Resolves with the milliseconds it took. */
  async upload(task: UploadTask): Promise<number> {
    await this.#pid;
    const { ms } = await this.#child.ask<{ ms: number }>(task);
    return ms;
  }

  /** Resolves with how many MB of memory the process came to hold meanwhile, beyond those before. */
  async growthMb(task: UploadTask): Promise<number> {
    const pid = await this.#pid;
    const before = await residentMb(pid);
    const peak = peakOf(pid);
    await this.upload(task);
    return (await peak.stop()) - before;
  }

  /** Processor time that the process has used so far; null where nobody tells. */
  async cpuSeconds(): Promise<number | null> {
    return cpuSeconds(await this.#pid);
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}
