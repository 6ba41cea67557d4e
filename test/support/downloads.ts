import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { localFileStore } from '#server/adapters/file-store-local/local-file-store.ts';
import { type DownloaderOptions, httpDownloader } from '#server/adapters/http-download/http-downloader.ts';
import type { Downloader } from '#server/ports/downloader.ts';
import type { FileStore, StoredFile } from '#server/ports/file-store.ts';

export const RETRY = { tries: 4, firstDelayMs: 1, maxDelayMs: 5 };
export const never = new AbortController().signal;
/** Larger than the buffers of a connection and a stream, so that faults hit in the middle. */
export const BYTES = 3_000_000;
/** A file of the sandbox with `BYTES` bytes. */
export const PATH = `/media/generated/${BYTES}/iv_1.mp4`;

export type DownloaderSettings = Omit<DownloaderOptions, 'files'>;
type Adapter = (files: FileStore, settings?: DownloaderSettings) => Downloader;

/** Each adapter, with short waits and timeouts. */
export const DOWNLOADERS: Record<string, Adapter> = {
  http: (files, settings) =>
    httpDownloader({ files, retry: RETRY, idleMs: 1_000, allowPrivateHosts: ['127.0.0.1'], ...settings }),
};

/** Creates a downloader with its own file store. Its downloads are stored as `a`. */
export async function setUpDownloader(adapter: Adapter, defaultUrl: string, settings?: DownloaderSettings) {
  const folder = await mkdtemp(join(tmpdir(), 'downloader-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const files = await localFileStore(folder);
  const downloader = adapter(files, settings);
  const download = (url = defaultUrl, signal = never) => downloader.download({ url, kind: 'video', name: 'a' }, signal);
  return { files, download, stored: () => digestOf(files, 'a.mp4') };
}

export const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

export async function digestOf(files: FileStore, name: string): Promise<string | null> {
  const opened = await files.open('video', name);
  if (!opened) return null;
  const bytes = new Uint8Array((opened.file as StoredFile).size);
  for (let at = 0; at < bytes.length; ) at += await opened.read(bytes.subarray(at), at);
  await opened.close();
  return digest(bytes);
}
