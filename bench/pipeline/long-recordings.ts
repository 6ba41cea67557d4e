import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sample, writeLoopedSound } from '#support/make-recording.ts';
import type { Services } from '../publish/services.ts';
import type { FunnelAccess } from '../refresh/sandbox-process.ts';
import { peakOf, residentMb } from '../resident-mb.ts';
import { sized } from '../scale.ts';
import { type ProcessingProduct, startProcessingProduct } from './processing-product.ts';

/** Idle threads end after five seconds and release their memory. */
const SETTLED_MS = sized(7_000, 100);

/** Growth of memory in MB while a product transcribed a recording. */
export interface Growth {
  short: number;
  long: number;
}

/** A recording that repeats the sound of a sample. */
export interface LongRecording {
  container: 'mp4' | 'webm';
  sample: string;
  minutes: { short: number; long: number };
}

/**
 * Transcribes a short recording, then a long one, in a product that has already transcribed a few
 * seconds.
 */
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
    // The first transcription loads modules, whatever its length.
    await product.runStep('transcribe', [first]);
    await sleep(SETTLED_MS);
    const before = await residentMb(product.pid);
    return { short: (await peakMb(product, short)) - before, long: (await peakMb(product, long)) - before };
  } finally {
    await product.stop();
  }
}

async function peakMb(product: ProcessingProduct, id: string): Promise<number> {
  const peak = peakOf(product.pid);
  await product.runStep('transcribe', [id]);
  await sleep(SETTLED_MS);
  return peak.stop();
}
