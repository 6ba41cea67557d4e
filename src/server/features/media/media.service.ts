import type { Claims } from '../../db/claims.ts';
import type { Database, Executor } from '../../db/database.ts';
import type { Downloader, DownloadOutcome } from '../../ports/downloader.ts';
import type { InterviewSource, SourceAccess } from '../../ports/interview-source.ts';
import type { MediaInspector } from '../../ports/media-inspector.ts';
import { UpstreamError } from '../../ports/upstream-error.ts';
import type { InterviewFile, Interviews } from '../interviews/interviews.service.ts';
import type { Logs } from '../logs/logs.service.ts';
import type { FileRemoval, UnwantedFile } from './file-removal.service.ts';

export interface MediaDependencies {
  db: Database;
  interviews: Interviews;
  source: InterviewSource;
  downloader: Downloader;
  removal: Pick<FileRemoval, 'enqueue'>;
  inspector: MediaInspector;
  claims: Claims;
  logs: Logs;
}

export interface Fetching {
  signal: AbortSignal;
  /** As a download has it. */
  onReceived?: () => void;
}

/** A file that is in the store, under the address that it was fetched from in the end; or why it is not. */
export type FetchOutcome =
  | { status: 'stored'; file: InterviewFile }
  | { status: 'failed'; reason: string; passing: boolean };

/** A fetched file, and how long it lasts; null when that is unknown or of no interest. */
export type MeasuredFile = InterviewFile & { seconds: number | null };

/** Brings files of interviews into the store. */
export class Media {
  readonly #on: MediaDependencies;

  constructor(dependencies: MediaDependencies) {
    this.#on = dependencies;
  }

  /**
   * Fetches a file; a signed address that has expired is read anew from the interview service, once. Rejects only when `signal` aborts
   * or the database is away. The file is nobody's until `attach`.
   */
  async fetch(file: InterviewFile, access: SourceAccess, how: Fetching): Promise<FetchOutcome> {
    const first = await this.#download(file, how);
    if (first.status === 'stored') return { status: 'stored', file };
    if (first.status === 'failed') return first;

    const renewed = await this.#renew(file, access, how.signal);
    if (!renewed)
      return {
        status: 'failed',
        reason: 'The address of this file has expired and the interview service gave no new one.',
        passing: true,
      };
    const second = await this.#download(renewed, how);
    if (second.status === 'stored') return { status: 'stored', file: renewed };
    if (second.status === 'failed') return second;
    const reason = 'The interview service refuses even the new address of this file.';
    return { status: 'failed', reason, passing: false };
  }

  /** A fetched file as `attachAll` takes it; `measure` reads a video's length from the file. */
  async measured(file: InterviewFile, measure: boolean): Promise<MeasuredFile> {
    const { interviews, inspector } = this.#on;
    const isWanted = measure && file.kind === 'video';
    return { ...file, seconds: isWanted ? await inspector.durationSeconds(interviews.fileName(file)) : null };
  }

  /** `attachAll` for one file. */
  async attach(
    file: InterviewFile,
    measure: boolean,
    record: (change: (tx: Executor) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    await this.attachAll([await this.measured(file, measure)], record);
  }

  /**
   * Names fetched files on their interviews, in the transaction that `record` opens: it is given the change and commits it with what
   * else belongs to it. A file that nobody would find afterwards is removed.
   */
  async attachAll(
    fetched: readonly MeasuredFile[],
    record: (change: (tx: Executor) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const { interviews, removal } = this.#on;
    await record(async (tx) => {
      const attached = await interviews.attachFiles(tx, fetched);
      await removal.enqueue(
        tx,
        fetched.flatMap((file, index) => this.#unwanted(file, attached[index])),
      );
    });
  }

  /** What nobody would ever find afterwards: the file itself when the interview has gone or means another by now, or the one it replaced. */
  #unwanted(
    { interviewId, kind, url }: MeasuredFile,
    attached: { replaced: string | null } | undefined,
  ): UnwantedFile[] {
    const name = attached ? attached.replaced : this.#on.interviews.fileName({ interviewId, kind, url });
    return name === null ? [] : [{ interviewId, kind, name }];
  }

  /** A refresh and a step may want the same file, in two processes even: the later one waits, and finds it in the store. */
  async #download(
    { url, kind, interviewId }: InterviewFile,
    { signal, onReceived }: Fetching,
  ): Promise<Exclude<DownloadOutcome, { status: 'infected' }>> {
    const name = this.#on.interviews.fileName({ url, kind, interviewId });
    const { db, claims, downloader, logs } = this.#on;
    const outcome = await claims.run(`file ${kind} ${name}`, signal, () =>
      downloader.download({ url, kind, name, ...(onReceived && { onReceived }) }, signal),
    );
    if (outcome.status !== 'infected') return outcome;
    const { virus, reason } = outcome;
    const summary = `A virus was found in the ${kind} of interview ${interviewId} (${virus}). It was removed.`;
    const metadata = { interviewId, kind, virus };
    await logs.write(db, { type: 'error', action: 'virus-found', status: 'error', summary, metadata });
    return { status: 'failed', reason, passing: false };
  }

  async #renew<File extends InterviewFile>(
    file: File,
    access: SourceAccess,
    signal: AbortSignal,
  ): Promise<File | null> {
    const createdAt = await this.#on.interviews.createdAt(file.interviewId);
    if (!createdAt) return null;
    const fresh = await this.#on.source
      .find(access, { id: file.interviewId, createdAt }, signal)
      .catch((error: unknown) => {
        if (error instanceof UpstreamError) return null;
        throw error;
      });
    const url = file.kind === 'video' ? fresh?.videoUrl : fresh?.thumbnailUrl;
    if (!url || url === file.url) return null;
    const renewed = { ...file, url };
    await this.#on.interviews.renewUrl(this.#on.db, renewed);
    return renewed;
  }
}
