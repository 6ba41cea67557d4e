import PQueue from 'p-queue';
import type { Dispatcher } from 'undici';
import type { LoadedImage } from '#server/ports/downloader.ts';
import type { PartialFile } from '#server/ports/file-store.ts';
import { DownloadTry } from './download-try.ts';
import { extensionOf } from './file-signature.ts';

const MAX_IMAGE_BYTES = 5 * 2 ** 20;
const IMAGE_TIMEOUT_MS = 15_000;
/** Images that load at the same time, with their bytes in memory. Further ones wait. */
const MAX_IMAGES = 4;

/** Returns a function that loads images into memory, a few at a time. */
export function createImageLoader(dispatcher: Dispatcher) {
  const queue = new PQueue({ concurrency: MAX_IMAGES });

  return (url: string, signal: AbortSignal): Promise<LoadedImage | null> => {
    const load = () => loadImage(url, AbortSignal.any([signal, AbortSignal.timeout(IMAGE_TIMEOUT_MS)]));
    return queue.add(load, { signal }).catch(() => null);
  };

  async function loadImage(url: string, signal: AbortSignal): Promise<LoadedImage | null> {
    const image = new MemoryFile();
    const limits = { dispatcher, idleMs: IMAGE_TIMEOUT_MS, maxBytes: MAX_IMAGE_BYTES, onBytes: () => {} };
    await new DownloadTry(url, image, null, { ...limits, kind: 'thumbnail', signal }).complete();
    const { bytes } = image;
    const extension = extensionOf('thumbnail', bytes);
    return extension === null ? null : { bytes, extension };
  }
}

class MemoryFile implements PartialFile {
  #chunks: Uint8Array[] = [];
  size = 0;

  get bytes(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }

  async append(chunk: Uint8Array): Promise<void> {
    // Copy the bytes, because the writer reuses its buffer.
    this.#chunks.push(chunk.slice());
    this.size += chunk.length;
  }

  async read(buffer: Uint8Array, position: number): Promise<number> {
    const part = this.bytes.subarray(position, position + buffer.length);
    buffer.set(part);
    return part.length;
  }

  async truncate(): Promise<void> {
    this.#chunks = [];
    this.size = 0;
  }

  async commit(): Promise<void> {}
  async close(): Promise<void> {}
}
