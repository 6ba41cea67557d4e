import type { StoredFile } from '#server/ports/file-store.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import type { HostedVideo, Privacy, UploadContext, UploadSession, VideoToPublish } from '#server/ports/video-host.ts';
import { type RetryPolicy, withRetries } from '../http-retry/retry.ts';
import type { ChunkReader } from './chunk-reader.ts';
import { SessionGone, type Standing, type UploadCalls } from './upload-calls.ts';
import { UploadReport } from './upload-report.ts';
import { CONNECT_AGAIN, youtubeError } from './youtube-error.ts';

export interface UploadParts {
  calls: UploadCalls;
  video: VideoToPublish;
  file: StoredFile;
  reader: ChunkReader;
  privacy: Privacy;
  chunkBytes: number;
  retry: RetryPolicy;
}

/** A host that forgets every session is not followed for ever. */
const MOST_SESSIONS = 4;

/** One video on its way: how much the host has of it, and what to do next. */
export class VideoUpload {
  readonly #parts: UploadParts;
  readonly #context: UploadContext;
  readonly #report: UploadReport;
  #session: UploadSession | null;
  /** How many bytes the host has; null when it must be asked. */
  #kept: number | null = null;
  #furthest = 0;
  #tokenWasRefused = false;

  constructor(parts: UploadParts, context: UploadContext) {
    this.#parts = parts;
    this.#context = context;
    this.#session = context.session;
    this.#report = new UploadReport(parts.file.size, context.report);
  }

  /** @throws UpstreamError, FileStoreError, the signal's reason */
  async run(): Promise<HostedVideo> {
    if (this.#session && !this.#isOfUse(this.#session)) await this.#forget();
    for (let sessions = 1; sessions <= MOST_SESSIONS; sessions += 1) {
      const video = await this.#inOneSession();
      if (video) return video;
      await this.#forget();
    }
    throw youtubeError('unavailable', 'YouTube forgot this upload again and again.');
  }

  /** Null when the host no longer knows the session. */
  async #inOneSession(): Promise<HostedVideo | null> {
    const { signal } = this.#context;
    try {
      return await withRetries(
        this.#parts.retry,
        signal,
        () => this.#goOn(),
        () => this.#furthest,
      );
    } catch (error) {
      if (error instanceof SessionGone) return null;
      // What the session was started with is refused: a later try in it would only hear the same.
      if (error instanceof UpstreamError && error.kind === 'rejected' && this.#session) await this.#forget();
      throw error;
    }
  }

  async #goOn(): Promise<HostedVideo> {
    this.#session ??= await this.#start();
    for (;;) {
      const standing = await this.#next(this.#session);
      if ('video' in standing) {
        this.#report.done();
        return standing.video;
      }
      this.#kept = standing.kept;
      this.#furthest = Math.max(this.#furthest, standing.kept);
      this.#report.kept(standing.kept);
    }
  }

  async #start(): Promise<UploadSession> {
    const { calls, video, file, privacy } = this.#parts;
    const address = await calls.start(video, { sizeBytes: file.size, privacy }, this.#context.signal);
    const session = { address, sizeBytes: file.size, etag: file.etag };
    // Before the first byte: what a crash made us forget would be published a second time.
    await this.#context.remember(session);
    this.#kept = 0;
    return session;
  }

  async #next({ address, sizeBytes }: UploadSession): Promise<Standing> {
    const from = this.#kept;
    // Until the answer is here, nobody knows how much of it arrived.
    this.#kept = null;
    if (from === null) return this.#parts.calls.ask(address, sizeBytes, this.#context.signal);
    if (from >= sizeBytes) throw youtubeError('unavailable', 'YouTube has the whole video but does not confirm it.');

    const { calls, chunkBytes, reader } = this.#parts;
    const to = Math.min(sizeBytes, from + chunkBytes);
    const chunk = { from, to, total: sizeBytes, blocks: reader.blocks(from, to) };
    const standing = await calls.put(address, chunk, this.#context.signal);
    if (standing === null) return this.#afterRefusedToken(address, sizeBytes);
    this.#tokenWasRefused = false;
    if ('kept' in standing && standing.kept <= from) {
      this.#kept = standing.kept;
      throw youtubeError('unavailable', 'YouTube did not take what we sent.');
    }
    return standing;
  }

  /** A token may end in the middle; the next one must hold for more than nothing. */
  async #afterRefusedToken(address: string, sizeBytes: number): Promise<Standing> {
    if (this.#tokenWasRefused) throw this.#refusedTwice();
    this.#tokenWasRefused = true;
    return this.#parts.calls.ask(address, sizeBytes, this.#context.signal);
  }

  #refusedTwice(): UpstreamError {
    return youtubeError('unauthorised', `YouTube refuses our permission in the middle of the upload. ${CONNECT_AGAIN}`);
  }

  #isOfUse({ address, sizeBytes, etag }: UploadSession): boolean {
    const { file, calls } = this.#parts;
    return sizeBytes === file.size && etag === file.etag && calls.knows(address);
  }

  async #forget(): Promise<void> {
    this.#session = null;
    this.#kept = null;
    this.#furthest = 0;
    await this.#context.remember(null);
  }
}
