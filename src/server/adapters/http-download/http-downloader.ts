import type { Dispatcher } from 'undici';
import { guardedAgent } from '#server/adapters/outside-http/guarded-agent.ts';
import type { OutgoingProxy } from '#server/adapters/outside-http/outgoing-proxy.ts';
import { AllowedHosts } from '#server/adapters/outside-http/private-addresses.ts';
import { RETRY_POLICY, withRetries } from '#server/adapters/outside-http/retry.ts';
import { type MinimumPace, Pace } from '#server/async/pace.ts';
import type { Downloader, DownloadOutcome, DownloadRequest } from '#server/ports/downloader.ts';
import { SIGNATURE_BYTES } from '#server/ports/file-intake.ts';
import type { FileScanner } from '#server/ports/file-scanner.ts';
import { type FileKind, type FileStore, FileStoreError, type PartialFile } from '#server/ports/file-store.ts';
import type { RetryPolicy } from '#server/ports/retry-policy.ts';
import { reportFailedCall, UpstreamError } from '#server/ports/upstream-error.ts';
import { DownloadTry } from './download-try.ts';
import { EXTENSIONS, extensionOf } from './file-signature.ts';
import { createImageLoader } from './image-loader.ts';
import { PartialDownloads } from './partial-downloads.ts';
import { wrongContent } from './partial-writer.ts';
import { fileError, UrlExpired } from './response.ts';

export interface DownloaderOptions {
  files: FileStore;
  retry?: RetryPolicy;
  /** A connection that sends nothing for this long counts as broken. */
  idleMs?: number;
  /** Larger videos are not downloaded. */
  maxVideoBytes?: number;
  /** Private hosts that are allowed: names, addresses and ranges. */
  allowPrivateHosts?: readonly string[];
  /** The only hosts that files are downloaded from, next to `allowPrivateHosts`. Null for any. */
  allowFileHosts?: readonly string[] | null;
  pace?: MinimumPace;
  /** Scans every file before it is stored. */
  scanner?: FileScanner | null;
  proxy?: OutgoingProxy | undefined;
}

const MAX_VIDEO_BYTES = 20 * 2 ** 30;
const MAX_THUMBNAIL_BYTES = 20 * 2 ** 20;
/** Time limit per file, so a slow trickle does not occupy its slot forever. */
const DOWNLOAD_TIMEOUT_MS = 6 * 3_600_000;
/** 16 KB/s over a minute. */
export const MINIMUM_PACE: MinimumPace = { bytesPerSecond: 16 * 1024, periodMs: 10_000, maxSlow: 3 };
const tooSlowError = () => fileError('unavailable', 'The file server sends this file too slowly.');
const CONNECT_TIMEOUT_MS = 10_000;
/** Per server. The caller limits parallel downloads; this bounds the damage of a mistake. */
const CONNECTIONS = 64;

/** Downloads files over HTTP without credentials. */
export function httpDownloader(options: DownloaderOptions): Downloader {
  const { files, scanner = null } = options;
  const allowed = new AllowedHosts(options.allowPrivateHosts ?? [], options.allowFileHosts ?? null);
  const dispatcher = guardedAgent(allowed, {
    agent: { connections: CONNECTIONS, pipelining: 1 },
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    proxy: options.proxy,
  });
  const downloadTo = fileDownload(options, dispatcher);
  return {
    async download(request, signal) {
      try {
        signal.throwIfAborted();
        // A name always has the same content, so a file stored just before a crash is not
        // downloaded again.
        const stored = await files.findWritten(request.kind, possibleNames(request));
        if (stored) return { status: 'stored', bytes: stored.size, name: stored.name };
        // Fail early if the scanner is unavailable, because unscanned files are never stored.
        await scanner?.check(signal);
        const partial = await files.resume(request.kind, request.name);
        return { status: 'stored', ...(await downloadTo(partial, request, signal)) };
      } catch (error) {
        return outcomeOf(error, signal);
      }
    },
    // An image that was not scanned is not shown.
    loadImage: scanner ? async () => null : createImageLoader(dispatcher),
    admits: (url) => allowed.admitsUrl(url),
  };
}

/** Returns a function that downloads, scans and commits one file. */
function fileDownload(options: DownloaderOptions, dispatcher: Dispatcher) {
  const { retry = RETRY_POLICY, idleMs = 60_000, pace: minimumPace = MINIMUM_PACE, scanner = null } = options;
  const maxBytes = { video: options.maxVideoBytes ?? MAX_VIDEO_BYTES, thumbnail: MAX_THUMBNAIL_BYTES };
  const partialDownloads = new PartialDownloads();
  const slow = new Set<Pace>();

  return async (partial: PartialFile, request: DownloadRequest, signal: AbortSignal) => {
    const identity = partialDownloads.pop(request, partial.size);
    const limit = AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS);
    const pace = new Pace(minimumPace, slow, tooSlowError);
    const deadline = AbortSignal.any([signal, limit, pace.signal]);
    const { kind } = request;
    const { onBytes } = pace;
    const tryOptions = { dispatcher, idleMs, maxBytes: maxBytes[kind], kind, signal: deadline, onBytes };
    const download = new DownloadTry(request.url, partial, identity, tryOptions);
    try {
      const complete = () => pace.measure(() => download.complete());
      await withRetries(retry, deadline, complete, () => partial.size);
      if (scanner) await expectClean(scanner, partial, deadline);
      request.onReceived?.();
      const bytes = partial.size;
      const name = `${request.name}.${await contentExtension(kind, partial)}`;
      await partial.commit(name);
      return { bytes, name };
    } catch (error) {
      const isRemembered =
        canContinue(error, signal) && partialDownloads.remember(request, partial.size, download.identity);
      if (!isRemembered && canTruncate(error)) await partial.truncate();
      if (limit.aborted && !signal.aborted) throw fileError('rejected', 'The download took longer than 6 hours.');
      throw error;
    } finally {
      pace.end();
      await partial.close();
    }
  };
}

/** The names under which a file may have been stored before, whatever its content is. */
const possibleNames = ({ kind, name }: DownloadRequest) => EXTENSIONS[kind].map((extension) => `${name}.${extension}`);

async function contentExtension(kind: FileKind, partial: PartialFile): Promise<string> {
  const start = new Uint8Array(SIGNATURE_BYTES);
  await partial.read(start, 0);
  const extension = extensionOf(kind, start);
  if (!extension) throw wrongContent(kind);
  return extension;
}

/** True when a later download can continue from the partial file. */
const canContinue = (error: unknown, signal: AbortSignal) =>
  signal.aborted ||
  error instanceof UrlExpired ||
  (error instanceof UpstreamError && error.isRetryable) ||
  (error instanceof FileStoreError && error.kind === 'unreachable');

/** A full disk gets its space back. A store that failed in another way is not called again. */
const canTruncate = (error: unknown) => !(error instanceof FileStoreError) || error.kind === 'full';

/** @throws the signal's reason if it was aborted, and unexpected errors */
function outcomeOf(error: unknown, signal: AbortSignal): DownloadOutcome {
  signal.throwIfAborted();
  if (error instanceof UrlExpired) return { status: 'expired' };
  if (error instanceof InfectedFile) return { status: 'infected', virus: error.virus, reason: error.message };
  if (error instanceof UpstreamError || error instanceof FileStoreError)
    return { status: 'failed', reason: error.message, isRetryable: error.isRetryable };
  throw error;
}

/** The scanner found a virus. Counted among the refusals of services. */
class InfectedFile extends UpstreamError {
  override name = 'InfectedFile';
  readonly virus: string;

  constructor(virus: string) {
    super('scanner', 'rejected', `Virus found (${virus}). The file was deleted.`);
    this.virus = virus;
  }
}

/**
 * Scans a complete file before it becomes visible. A failed scan is not retried here; the next
 * refresh retries it.
 * @throws InfectedFile, or what the scanner throws
 */
async function expectClean(scanner: FileScanner, file: PartialFile, signal: AbortSignal): Promise<void> {
  const verdict = await scanner.scan(file, signal);
  if (verdict.status !== 'infected') return;
  const error = new InfectedFile(verdict.virus);
  reportFailedCall(error);
  throw error;
}
