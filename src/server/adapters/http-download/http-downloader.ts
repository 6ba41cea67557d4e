import type { Downloader, DownloadOutcome, DownloadRequest } from '#server/ports/downloader.ts';
import type { FileScanner } from '#server/ports/file-scanner.ts';
import { type FileKind, type FileStore, FileStoreError, type PartialFile } from '#server/ports/file-store.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { RETRY_POLICY, type RetryPolicy, withRetries } from '../http-retry/retry.ts';
import { guardedAgent } from '../outside-http/guarded-agent.ts';
import { AllowedHosts } from '../outside-http/private-addresses.ts';
import { Expired, fileError } from './answer.ts';
import { DownloadTry } from './download-try.ts';
import { demandClean, Infected } from './infected.ts';
import { Leftovers } from './leftovers.ts';

export interface DownloaderOptions {
  files: FileStore;
  retry?: RetryPolicy;
  /** A connection that sends nothing for so long counts as broken. */
  idleMs?: number;
  /** A larger video is not fetched. */
  mostVideoBytes?: number;
  /** Hosts that are asked although they are private: names, addresses and ranges. */
  allowPrivateHosts?: readonly string[];
  /** Looks into every file before it gets its name; without one, none is read again. */
  scanner?: FileScanner | null;
}

const MOST_VIDEO_BYTES = 20 * 2 ** 30;
const MOST_THUMBNAIL_BYTES = 20 * 2 ** 20;
/** For a whole file: a line that only drips keeps its place no longer. */
const LONGEST_MS = 6 * 3_600_000;
const CONNECT_MS = 10_000;
/** For one server. The caller bounds how many files are under way; this only keeps a mistake small. */
const CONNECTIONS = 64;

/** Fetches files over HTTP, without any key of ours. */
export function httpDownloader({
  files,
  retry = RETRY_POLICY,
  idleMs = 60_000,
  mostVideoBytes = MOST_VIDEO_BYTES,
  allowPrivateHosts = [],
  scanner = null,
}: DownloaderOptions): Downloader {
  const mostBytes: Record<FileKind, number> = { video: mostVideoBytes, thumbnail: MOST_THUMBNAIL_BYTES };
  const allowed = new AllowedHosts(allowPrivateHosts);
  const dispatcher = guardedAgent(allowed, { connections: CONNECTIONS, pipelining: 1 }, CONNECT_MS);
  const leftovers = new Leftovers();

  async function fetchInto(partial: PartialFile, request: DownloadRequest, signal: AbortSignal): Promise<number> {
    const known = leftovers.take(request, partial.size);
    const limit = AbortSignal.timeout(LONGEST_MS);
    const within = AbortSignal.any([signal, limit]);
    const options = { dispatcher, idleMs, mostBytes: mostBytes[request.kind], kind: request.kind, signal: within };
    const download = new DownloadTry(request.url, partial, known, options);
    try {
      await withRetries(
        retry,
        within,
        () => download.run(),
        () => partial.size,
      );
      if (scanner) await demandClean(scanner, partial, within);
      request.onReceived?.();
      const bytes = partial.size;
      await partial.commit();
      return bytes;
    } catch (error) {
      const isOfUse = mayGoOn(error, signal) && leftovers.keep(request, partial.size, download.known);
      if (!isOfUse && mayTruncate(error)) await partial.truncate();
      if (limit.aborted && !signal.aborted) throw fileError('rejected', 'Fetching this file took more than 6 hours.');
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
        // Away: nothing is fetched that could not be looked into afterwards.
        await scanner?.check(signal);
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

/** A full disk gets its room back; a store that fails in another way is not asked again. */
const mayTruncate = (error: unknown) => !(error instanceof FileStoreError) || error.kind === 'full';

/** @throws the signal's reason when it aborted, and what nobody expects */
function outcomeOf(error: unknown, signal: AbortSignal): DownloadOutcome {
  signal.throwIfAborted();
  if (error instanceof Expired) return { status: 'expired' };
  if (error instanceof Infected) return { status: 'infected', virus: error.virus, reason: error.message };
  if (error instanceof UpstreamError) return { status: 'failed', reason: error.message, passing: error.passing };
  if (error instanceof FileStoreError)
    return { status: 'failed', reason: error.message, passing: error.kind === 'busy' || error.kind === 'unavailable' };
  throw error;
}
