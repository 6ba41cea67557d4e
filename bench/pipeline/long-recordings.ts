import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sample, writeLoopedSound } from '#support/make-recording.ts';
import type { FunnelAccess } from '../refresh/sandbox-process.ts';
import { peakOf, residentMb } from '../resident-mb.ts';
import type { Services } from '../upload/services.ts';
import { type ProcessingProduct, startProcessingProduct } from './processing-product.ts';

/** Threads that nobody needs end after five seconds, and then their memory is given back. */
const SETTLED_MS = 7_000;

/** Memory in MB that a product came to hold while it transcribed a recording, beyond what it held before the first. */
export interface Growth {
  short: number;
  long: number;
}

/** A recording of a format, made of a sample's sound again and again. */
export interface LongRecording {
  container: 'mp4' | 'webm';
  sample: string;
  minutes: { short: number; long: number };
}

/** Transcribes a short recording, then a long one, in a fresh product that has transcribed a few seconds before. */
export async function growthOf(
  { container, sample: name, minutes }: LongRecording,
  { folder, services, funnel }: { folder: string; services: Services; funnel: FunnelAccess },
): Promise<Growth> {
  await mkdir(folder, { recursive: true });
  const product = await startProcessingProduct(services, funnel);
  try {
    const [first = '', short = '', long = ''] = product.ids;
    for (const [id, length] of [
      [short, minutes.short],
      [long, minutes.long],
    ] as const) {
      const path = join(folder, `${length}.${container}`);
      await writeLoopedSound(path, await sample(name), length * 60);
      await product.replaceVideo(id, path);
    }
    // What is loaded at the first transcription stays, and is no matter of length.
    await product.run('transcribe', [first]);
    await sleep(SETTLED_MS);
    const before = await residentMb(product.pid);
    return { short: (await peakMb(product, short)) - before, long: (await peakMb(product, long)) - before };
  } finally {
    await product.stop();
  }
}

async function peakMb(product: ProcessingProduct, id: string): Promise<number> {
  const peak = peakOf(product.pid);
  await product.run('transcribe', [id]);
  await sleep(SETTLED_MS);
  return peak.stop();
}
