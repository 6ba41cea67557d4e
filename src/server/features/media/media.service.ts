import type { Claims } from '#server/db/claims.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { DownloadedFile, InterviewFile, Interviews } from '#server/features/interviews/interviews.service.ts';
import type { Downloader, LoadedImage } from '#server/ports/downloader.ts';
import type { InterviewSource, SourceAccess } from '#server/ports/interview-source.ts';
import type { MediaInspector } from '#server/ports/media-inspector.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import type { FileRemoval } from './file-removal.service.ts';
import type { RecordingJoin } from './recording-join.service.ts';

export interface MediaDeps {
  db: Database;
  interviews: Interviews;
  source: InterviewSource;
  downloader: Downloader;
  removal: Pick<FileRemoval, 'enqueue'>;
  join: Pick<RecordingJoin, 'enqueueComplete'>;
  inspector: MediaInspector;
  claims: Claims;
  events: Events;
}

export interface FetchOptions {
  signal: AbortSignal;
  /** Called when all bytes have arrived, as in `DownloadRequest`. */
  onReceived?: () => void;
}

/** A file and its name in the store. */
export type NamedFile = InterviewFile & { name: string };

/** `file.url` is the URL that the stored file was finally downloaded from. */
export type FetchOutcome =
  | { status: 'stored'; file: NamedFile }
  | { status: 'failed'; reason: string; isRetryable: boolean };

/** Downloads files of interviews into the store. */
export class Media {
  readonly #deps: MediaDeps;

  constructor(deps: MediaDeps) {
    this.#deps = deps;
  }

  /**
   * Downloads a file. An expired signed URL is requested again from the interview service,
   * once. Rejects only when `signal` aborts or the database is unavailable. No interview uses the
   * file before `attach`.
   */
  async fetch(file: InterviewFile, access: SourceAccess, options: FetchOptions): Promise<FetchOutcome> {
    const first = await this.#download(file, options);
    if (first.status !== 'expired') return first;
    const renewed = await this.#renewUrl(file, access, options.signal);
    if (!renewed)
      return {
        status: 'failed',
        reason: "The file's address has expired, and the interview service has no new one.",
        isRetryable: true,
      };
    const second = await this.#download(renewed, options);
    if (second.status !== 'expired') return second;
    return { status: 'failed', reason: "The file's new address was rejected too.", isRetryable: false };
  }

  /** Loads a thumbnail that is not stored from its URL; null when that is not possible. */
  async loadThumbnail(interviewId: string, signal: AbortSignal): Promise<LoadedImage | null> {
    const { url } = await this.#deps.interviews.findFile(interviewId, 'thumbnail');
    return url === null ? null : this.#deps.downloader.loadImage(url, signal);
  }

  /** Reads the duration of a stored video. */
  async measure(file: NamedFile): Promise<DownloadedFile> {
    const { inspector } = this.#deps;
    return { ...file, seconds: file.kind === 'video' ? await inspector.durationSeconds(file.name) : null };
  }

  /**
   * Links stored files to their interviews. `record` opens a transaction, calls `change` in it, and
   * commits that together with its own writes. Files that no interview uses are deleted.
   */
  async attach(
    files: readonly DownloadedFile[],
    record: (change: (tx: Executor) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const { interviews, removal, join } = this.#deps;
    await record(async (tx) => {
      const attached = await interviews.attachFiles(tx, files);
      const unused = files.flatMap(({ interviewId, kind, name: stored }, index) => {
        // The file itself when its interview was deleted or has another URL now.
        const { replaced: name } = attached[index] ?? { replaced: stored };
        return name === null ? [] : [{ interviewId, kind, name }];
      });
      await removal.enqueue(tx, unused);
      const recorded = files.filter(({ kind, segmentId }) => kind === 'video' && segmentId !== null);
      await join.enqueueComplete(tx, [...new Set(recorded.map(({ interviewId }) => interviewId))]);
    });
  }

  /**
   * A refresh and a step may need the same file, even in two processes: the second waits and finds
   * it stored.
   */
  async #download(
    file: InterviewFile,
    { signal, onReceived }: FetchOptions,
  ): Promise<FetchOutcome | { status: 'expired' }> {
    const { url, kind } = file;
    const { db, interviews, claims, downloader, events } = this.#deps;
    const name = interviews.baseName(file);
    const outcome = await claims.runExclusively(`file ${kind} ${name}`, signal, () =>
      downloader.download({ url, kind, name, ...(onReceived && { onReceived }) }, signal),
    );
    if (outcome.status === 'stored') return { status: 'stored', file: { ...file, name: outcome.name } };
    if (outcome.status !== 'infected') return outcome;
    const { interviewId } = file;
    const funnelId = (await interviews.findFunnelId(interviewId)) ?? null;
    await events.record(db, 'virus.found', { interviewId, funnelId, kind, virus: outcome.virus });
    return { status: 'failed', reason: outcome.reason, isRetryable: false };
  }

  /** Returns null when the interview service has no other URL. */
  async #renewUrl(file: InterviewFile, access: SourceAccess, signal: AbortSignal): Promise<InterviewFile | null> {
    const createdAt = await this.#deps.interviews.findCreatedAt(file.interviewId);
    if (!createdAt) return null;
    const interview = await this.#deps.source
      .find(access, { id: file.interviewId, createdAt }, signal)
      .catch((error: unknown) => {
        if (error instanceof UpstreamError) return null;
        throw error;
      });
    const owner = file.segmentId === null ? interview : interview?.segments.find(({ id }) => id === file.segmentId);
    const url = file.kind === 'video' ? owner?.videoUrl : owner?.thumbnailUrl;
    if (!url || url === file.url) return null;
    const renewed = { ...file, url };
    await this.#deps.interviews.renewUrl(this.#deps.db, renewed);
    return renewed;
  }
}
