import { Child } from '../child.ts';
import { peakOf, residentMb } from '../resident-mb.ts';
import { cpuSeconds } from '../video/cpu-seconds.ts';

/** The message to an uploading process: a video in the folder of a file store. */
export interface UploadTask {
  folder: string;
  name: string;
  /** Environment variables that connect a product to the sandbox. */
  variables: Record<string, string>;
}

const SCRIPTS = { ours: new URL('./ours.ts', import.meta.url), bare: new URL('./bare.ts', import.meta.url) };

/** Uploads with our adapter or with a bare PUT, in a separate process. */
export class Uploader {
  readonly #child: Child;
  readonly #pid: Promise<number>;

  constructor(how: keyof typeof SCRIPTS) {
    this.#child = new Child(SCRIPTS[how]);
    this.#pid = this.#child.receive<{ pid: number }>().then(({ pid }) => pid);
  }

  /** Returns milliseconds. */
  async upload(task: UploadTask): Promise<number> {
    await this.#pid;
    const { ms } = await this.#child.ask<{ ms: number }>(task);
    return ms;
  }

  /** Returns the MB by which the memory of the process grew during the upload. */
  async growthMb(task: UploadTask): Promise<number> {
    const pid = await this.#pid;
    const before = await residentMb(pid);
    const peak = peakOf(pid);
    await this.upload(task);
    return (await peak.stop()) - before;
  }

  /** Returns the processor time used so far, or null where it is unknown. */
  async cpuSeconds(): Promise<number | null> {
    return cpuSeconds(await this.#pid);
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}
