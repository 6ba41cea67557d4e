import { Agent } from 'undici';
import type { Downloader, DownloadOutcome, DownloadRequest } from '#server/ports/downloader.ts';
import { type FileKind, type FileStore, FileStoreError, type PartialFile } from '#server/ports/file-store.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { RETRY_POLICY, type RetryPolicy, withRetries } from '../http-retry/retry.ts';
import { Expired } from './answer.ts';
import { DownloadTry } from './download-try.ts';
import { Leftovers } from './leftovers.ts';

export interface DownloaderOptions {
  files: FileStore;
  retry?: RetryPolicy;
  /** A connection that sends nothing for so long counts as broken. */
  idleMs?: number;
  mostBytes?: Record<FileKind, number>;
}

const MOST_BYTES: Record<FileKind, number> = { video: 20 * 2 ** 30, thumbnail: 20 * 2 ** 20 };
/** For one server. The caller bounds how many files are under way; this only keeps a mistake small. */
const CONNECTIONS = 64;

/** Fetches files over HTTP, without any key of ours. */
export function httpDownloader({
  files,
  retry = RETRY_POLICY,
  idleMs = 60_000,
  mostBytes = MOST_BYTES,
}: DownloaderOptions): Downloader {
  const dispatcher = new Agent({ connections: CONNECTIONS, pipelining: 1, connect: { timeout: 10_000 } });
  const leftovers = new Leftovers();

  async function fetchInto(partial: PartialFile, request: DownloadRequest, signal: AbortSignal): Promise<number> {
    const known = leftovers.take(request, partial.size);
    const options = { dispatcher, idleMs, mostBytes: mostBytes[request.kind], signal };
    const download = new DownloadTry(request.url, partial, known, options);
    try {
      await withRetries(
        retry,
        signal,
        () => download.run(),
        () => partial.size,
      );
      const bytes = partial.size;
      await partial.commit();
      return bytes;
    } catch (error) {
      const isOfUse = mayGoOn(error, signal) && leftovers.keep(request, partial.size, download.known);
      if (!isOfUse && !(error instanceof FileStoreError)) await partial.truncate();
      throw error;
    } finally {
      await partial.close();
    }
  }

  return {
    async download(request, signal) {
      try {
        signal.throwIfAborted();
        // A name stands for one content for ever: what a crash kept us from noting is not fetched again.
        const there = await files.stat(request.kind, request.name);
        if (there) return { status: 'stored', bytes: there.size };
        const partial = await files.resume(request.kind, request.name);
        return { status: 'stored', bytes: await fetchInto(partial, request, signal) };
      } catch (error) {
        return outcomeOf(error, signal);
      }
    },
  };
}

/** True when a later download may need what is there already. */
const mayGoOn = (error: unknown, signal: AbortSignal) =>
  signal.aborted || error instanceof Expired || (error instanceof UpstreamError && error.passing);

/** @throws the signal's reason when it aborted, and what nobody expects */
function outcomeOf(error: unknown, signal: AbortSignal): DownloadOutcome {
  signal.throwIfAborted();
  if (error instanceof Expired) return { status: 'expired' };
  if (error instanceof UpstreamError || error instanceof FileStoreError)
    return { status: 'failed', reason: error.message };
  throw error;
}
