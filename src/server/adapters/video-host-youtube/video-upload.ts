import { withRetries } from '#server/adapters/outside-http/retry.ts';
import type { StoredFile } from '#server/ports/file-store.ts';
import type { RetryPolicy } from '#server/ports/retry-policy.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import type { HostedVideo, Privacy, UploadContext, UploadSession, VideoToPublish } from '#server/ports/video-host.ts';
import type { ChunkReader } from './chunk-reader.ts';
import { SessionMissing, type UploadCalls, type UploadState } from './upload-calls.ts';
import { CONNECT_AGAIN, youtubeError } from './youtube-error.ts';

export interface VideoUploadDeps {
  calls: UploadCalls;
  video: VideoToPublish;
  file: StoredFile;
  reader: ChunkReader;
  privacy: Privacy;
  chunkBytes: number;
  retry: RetryPolicy;
}

/** A host that loses every session must not cause endless uploads. */
const MAX_SESSIONS = 4;
/** The shortest interval between progress reports, each of which the caller stores. */
const REPORT_INTERVAL_MS = 300;

/** The upload of one video: how much of it the host has, and what to send next. */
export class VideoUpload {
  readonly #deps: VideoUploadDeps;
  readonly #context: UploadContext;
  #session: UploadSession | null;
  /** The number of bytes that the host has stored; null when it must be queried. */
  #storedBytes: number | null = null;
  #furthest = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #tokenWasRefused = false;

  constructor(deps: VideoUploadDeps, context: UploadContext) {
    this.#deps = deps;
    this.#context = context;
    this.#session = context.session;
  }

  /** @throws UpstreamError, FileStoreError, the signal's reason */
  async uploadVideo(): Promise<HostedVideo> {
    if (this.#session && !this.#isUsable(this.#session)) await this.#dropSession();
    for (let sessions = 1; sessions <= MAX_SESSIONS; sessions += 1) {
      const video = await this.#uploadInSession();
      if (video) return video;
      await this.#dropSession();
    }
    throw youtubeError('unavailable', 'YouTube kept losing this upload.');
  }

  /** Null when the host no longer has the session. */
  async #uploadInSession(): Promise<HostedVideo | null> {
    const { signal } = this.#context;
    try {
      return await withRetries(
        this.#deps.retry,
        signal,
        () => this.#sendRest(),
        () => this.#furthest,
      );
    } catch (error) {
      if (error instanceof SessionMissing) return null;
      // YouTube rejected the metadata of the session, so it would reject the session again.
      if (error instanceof UpstreamError && error.kind === 'rejected' && this.#session) await this.#dropSession();
      throw error;
    }
  }

  async #sendRest(): Promise<HostedVideo> {
    const total = this.#deps.file.size;
    this.#session ??= await this.#startSession();
    for (;;) {
      const state = await this.#sendNext(this.#session);
      if ('video' in state) {
        this.#context.onProgress(total, total);
        return state.video;
      }
      this.#storedBytes = state.storedBytes;
      this.#furthest = Math.max(this.#furthest, state.storedBytes);
      this.#report(state.storedBytes, total);
    }
  }

  #report(storedBytes: number, total: number): void {
    if (performance.now() - this.#reportedAt < REPORT_INTERVAL_MS) return;
    this.#reportedAt = performance.now();
    this.#context.onProgress(storedBytes, total);
  }

  async #startSession(): Promise<UploadSession> {
    const { calls, video, file, privacy } = this.#deps;
    const url = await calls.startSession(video, { sizeBytes: file.size, privacy }, this.#context.signal);
    const session = { address: url, sizeBytes: file.size, etag: file.etag };
    // Saved before the first byte is sent: after a crash, a lost session would publish the video
    // twice.
    await this.#context.saveSession(session);
    this.#storedBytes = 0;
    return session;
  }

  async #sendNext({ address: url, sizeBytes }: UploadSession): Promise<UploadState> {
    const from = this.#storedBytes;
    // Unknown until the response arrives.
    this.#storedBytes = null;
    if (from === null) return this.#deps.calls.queryState(url, sizeBytes, this.#context.signal);
    if (from >= sizeBytes) throw youtubeError('unavailable', "YouTube has the whole video but didn't confirm it.");

    const { calls, chunkBytes, reader } = this.#deps;
    const to = Math.min(sizeBytes, from + chunkBytes);
    const chunk = { from, to, total: sizeBytes, blocks: reader.blocks(from, to) };
    const state = await calls.sendChunk(url, chunk, this.#context.signal);
    if (state === null) return this.#afterRefusedToken(url, sizeBytes);
    this.#tokenWasRefused = false;
    if ('storedBytes' in state && state.storedBytes <= from) {
      this.#storedBytes = state.storedBytes;
      throw youtubeError('unavailable', "YouTube didn't accept the uploaded data.");
    }
    return state;
  }

  /** A token may expire during a chunk; the next one must work for at least one chunk. */
  async #afterRefusedToken(url: string, sizeBytes: number): Promise<UploadState> {
    if (this.#tokenWasRefused)
      throw youtubeError('unauthorised', `YouTube rejected our permission during the upload. ${CONNECT_AGAIN}`);
    this.#tokenWasRefused = true;
    return this.#deps.calls.queryState(url, sizeBytes, this.#context.signal);
  }

  #isUsable({ address: url, sizeBytes, etag }: UploadSession): boolean {
    const { file, calls } = this.#deps;
    return sizeBytes === file.size && etag === file.etag && calls.isOurSession(url);
  }

  async #dropSession(): Promise<void> {
    this.#session = null;
    this.#storedBytes = null;
    this.#furthest = 0;
    await this.#context.saveSession(null);
  }
}
