import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { ResponseOf } from '#contracts/endpoint.ts';
import type { listUploads, Upload, UploadForm } from '#contracts/uploads.ts';
import { AppError } from '#server/app-error.ts';
import { type MinimumPace, Pace } from '#server/async/pace.ts';
import { blockErasures } from '#server/db/advisory-locks.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Funnels } from '#server/features/funnels/funnels.service.ts';
import type { FileRemoval } from '#server/features/media/file-removal.service.ts';
import { visibleFunnelsOf } from '#server/features/session/accounts/accounts.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { SIGNATURE_BYTES } from '#server/ports/file-intake.ts';
import { ABANDONED_AFTER_MS, FileStoreError, type PartialFile, type SharedFile } from '#server/ports/file-store.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { isFunnelVisible } from '#server/request-context.ts';
import type { Runs } from '#server/runs/runs.ts';
import { filesOfUploads, NewRecordings, type NewRecordingsDeps, type StoredRecording } from './new-recordings.ts';
import { expectBudget, isSpaceShort, NoRoomError, type UploadBudget } from './upload-budget.ts';
import { UploadClaims, type UploadClaimsDeps } from './upload-claims.ts';
import type { OwnedUpload, UploadRow } from './uploads.repo.ts';
import * as repo from './uploads.repo.ts';
import { viewUpload } from './uploads.view.ts';
import { writeBody } from './write-body.ts';

export interface UploadsDeps extends NewRecordingsDeps, UploadClaimsDeps {
  db: Database;
  queue: Pick<JobQueue, 'enqueue'>;
  runs: Runs;
  funnels: Pick<Funnels, 'find'>;
  removal: Pick<FileRemoval, 'enqueue'>;
  /** Larger recordings are rejected. */
  maxBytes: number;
  budget: UploadBudget;
  /** Slower connections are ended. */
  pace: MinimumPace;
}

/** The time after which finished uploads are deleted, and the time for all others. */
export const EXPIRY = { doneMs: 3_600_000, otherMs: ABANDONED_AFTER_MS };
/** The time of others when space for uploads is short. */
const SHORT_EXPIRY = { ...EXPIRY, otherMs: 24 * 3_600_000 };

/**
 * The browser sends pieces that its connection transfers in about 8 s. A body ends after 30 s in
 * any case; this one ends connections earlier that only occupy the server.
 */
export const UPLOAD_PACE: MinimumPace = { bytesPerSecond: 8 * 1024, periodMs: 2_500, maxSlow: 20 };

/** @throws AppError not_found, also when the account does not see the funnel of the upload */
function expectOwn(row: UploadRow | undefined, accountId: number): asserts row {
  if (row?.account_id !== accountId || !isFunnelVisible(row.funnel_id)) throw uploadNotFound();
}

const uploadNotFound = () => new AppError('not_found', 'This upload no longer exists. Start it again.');

/** Receives recordings that staff send in pieces. Complete ones become interviews. */
export class Uploads {
  readonly #deps: UploadsDeps;
  readonly #recordings: NewRecordings;
  readonly #slow = new Set<Pace>();
  readonly claims: UploadClaims;
  readonly job;

  constructor(deps: UploadsDeps) {
    this.#deps = deps;
    this.#recordings = new NewRecordings(deps);
    this.job = deps.runs.define({
      name: 'uploads.finish',
      payload: z.object({ uploadId: z.string() }),
      /** Takes more than a day with the delays: a virus scanner or a store may be unavailable. */
      retries: 1_500,
      concurrency: 2,
      open: repo.OPEN_CHECKS,
      errors: { unexpected: UNEXPECTED },
      claim: ({ uploadId }, { process }) => repo.claimCheck(deps.db, uploadId, process),
      perform: (row, signal) => this.#check(row, signal),
      settle: (row, error, isLastAttempt) => this.#settle(row, error, isLastAttempt),
      fail: (row, error) => this.#refuse(row, error),
      release: (row, columns) => repo.releaseCheck(deps.db, row, columns),
    });
    this.claims = new UploadClaims(deps);
  }

  async list(accountId: number): Promise<ResponseOf<typeof listUploads>> {
    const { db, interviews } = this.#deps;
    const rows = (await repo.listUploadsOf(db, accountId)).filter((row) => isFunnelVisible(row.funnel_id));
    const duplicates = rows.flatMap((row) => row.duplicate_of ?? []);
    const visible = await interviews.keepVisible(db, duplicates);
    return rows.map((row) => ({
      ...viewUpload(row),
      duplicateOf: visible.find((id) => id === row.duplicate_of) ?? null,
    }));
  }

  /** @throws AppError invalid_input, not_found, conflict when the account has too many uploads */
  async create(accountId: number, { thumbnail, ...form }: UploadForm): Promise<Upload> {
    const { db, files, budget, maxBytes } = this.#deps;
    if (form.size > maxBytes) throw new AppError('invalid_input', tooLarge(maxBytes), { field: 'size' });
    const insert = () =>
      db.transaction().execute(async (tx) => {
        await this.#expectUploadFunnel(tx, form.funnelId);
        const room = await files.uploadRoom().catch(rethrowStoreError);
        await expectBudget(tx, { accountId, size: form.size }, { budget, room });
        return repo.insertUpload(tx, columnsOf(accountId, form));
      });
    const row = await insert().catch(async (error: unknown) => {
      if (!(error instanceof NoRoomError)) throw error;
      await this.deleteExpired({ neededBytes: form.size });
      return insert();
    });
    if (thumbnail === null) return viewUpload(row);
    try {
      await this.#storeThumbnail(row.id, Buffer.from(thumbnail, 'base64'));
    } catch (error) {
      await db.transaction().execute((tx) => this.#delete(tx, { id: row.id, accountId }));
      throw error;
    }
    return viewUpload(row);
  }

  /** Deletes the upload and its bytes. The interview of a finished upload stays. */
  async delete(upload: OwnedUpload): Promise<{ message: string }> {
    const { db, events } = this.#deps;
    await db.transaction().execute(async (tx) => {
      const row = await this.#delete(tx, upload);
      expectOwn(row, upload.accountId);
      // The end of a finished or refused upload is recorded already.
      if (row.state === 'done' || row.state === 'failed') return;
      await events.record(tx, 'upload.canceled', { interviewId: row.id, funnelId: row.funnel_id });
    });
    return { message: 'Upload canceled' };
  }

  /** Adds the recording although an interview has the same one. */
  async keepDuplicate({ id, accountId }: OwnedUpload): Promise<{ message: string }> {
    const { db, queue } = this.#deps;
    await db.transaction().execute(async (tx) => {
      expectOwn(await repo.lockUpload(tx, id), accountId);
      const next = { state: 'checking', keeps_duplicate: true } as const;
      if (!(await repo.updateState(tx, { id, from: ['duplicate'] }, next)))
        throw new AppError('conflict', 'This upload is not waiting for a decision.');
      await queue.enqueue(tx, this.job, { uploadId: id });
    });
    return { message: 'The recording will be added.' };
  }

  /**
   * Returns the size of an upload and the bytes that have arrived. The caller holds its claim.
   * @throws AppError not_found when the account has no such upload; unsupported_media_type when it
   * was rejected
   */
  async findContent({ id, accountId }: OwnedUpload): Promise<{ size: number; received: number }> {
    const row = await repo.findUpload(this.#deps.db, id);
    expectOwn(row, accountId);
    if (row.state === 'failed') throw new AppError('unsupported_media_type', row.problem ?? 'This file was rejected.');
    const size = row.size_bytes;
    if (row.state !== 'receiving') return { size, received: size };
    const partial = await this.#openShared(id, size);
    await partial.close();
    // The process was killed before it recorded the end.
    if (partial.size === size) await this.endReceiving(id);
    return { size, received: partial.size };
  }

  /**
   * Appends a body until it ends, its connection breaks, or `signal` aborts. Returns the number of
   * bytes that have arrived in total. The caller holds the claim of the upload.
   * @throws AppError unsupported_media_type when the content is not a recording, body_too_large
   * when there is more than `size`, unavailable
   */
  async append(id: string, body: Readable, { size, signal }: { size: number; signal: AbortSignal }): Promise<number> {
    const partial = await this.#openShared(id, size);
    const write = async (chunks: Uint8Array[]) => {
      const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
      if (partial.size + bytes > size) throw new AppError('body_too_large', MORE_THAN_SIZE);
      if (partial.size < SIGNATURE_BYTES) await this.#expectRecording(id, partial, chunks);
      await partial.append(...chunks).catch(rethrowStoreError);
    };
    const pace = new Pace(this.#deps.pace, this.#slow, () => new AppError('unavailable', TOO_SLOW));
    const writeMeasured = (chunks: Uint8Array[]) => {
      for (const { length } of chunks) pace.onBytes(length);
      return pace.excuse(() => write(chunks));
    };
    try {
      await pace.measure(() => writeBody(body, writeMeasured, AbortSignal.any([signal, pace.signal])));
      pace.signal.throwIfAborted();
    } finally {
      pace.end();
      await partial.close().catch(rethrowStoreError);
      await this.#storeReceived(id, partial.size);
    }
    return partial.size;
  }

  /** A process may have stored bytes after the upload and its files were deleted. */
  async #storeReceived(id: string, bytes: number): Promise<void> {
    const { db } = this.#deps;
    if (await repo.updateReceived(db, id, bytes)) return;
    if (!(await repo.findUpload(db, id))) await this.#removeFiles(db, [id]);
  }

  /** Enqueues the check after all bytes have arrived. Does nothing when called again. */
  async endReceiving(id: string): Promise<void> {
    const { db, queue } = this.#deps;
    await db.transaction().execute(async (tx) => {
      if (!(await repo.updateState(tx, { id, from: ['receiving'] }, { state: 'checking' }))) return;
      await queue.enqueue(tx, this.job, { uploadId: id });
    });
  }

  /** Deletes abandoned uploads, earlier when space is short, and the rows of finished ones. */
  async deleteExpired({ neededBytes = 0 } = {}): Promise<void> {
    const { db, files, budget, events } = this.#deps;
    const room = await files.uploadRoom();
    await db.transaction().execute(async (tx) => {
      await this.#removeFiles(tx, await repo.deleteExpiredUploads(tx, EXPIRY));
      if (!(await isSpaceShort(tx, neededBytes, { budget, room }))) return;
      const idle = await repo.deleteExpiredUploads(tx, SHORT_EXPIRY);
      await this.#removeFiles(tx, idle);
      if (idle.length > 0) await events.record(tx, 'uploads.expired', { interviewIds: idle });
    });
  }

  async deleteOfFunnel(tx: Executor, funnelId: number): Promise<void> {
    await this.#removeFiles(tx, await repo.deleteUploadsOfFunnel(tx, funnelId));
  }

  /** Undefined when the account has no such upload. */
  async #delete(tx: Executor, upload: OwnedUpload): Promise<UploadRow | undefined> {
    const row = await repo.deleteUpload(tx, upload);
    if (row) await this.#removeFiles(tx, [row.id]);
    return row;
  }

  async #check({ id }: UploadRow, signal: AbortSignal): Promise<void> {
    await this.claims.run(id, signal, async () => {
      const row = await repo.findUpload(this.#deps.db, id);
      if (row?.state === 'checking') await this.#finishChecked(row, signal);
    });
  }

  async #settle(row: UploadRow, error: unknown, isLastAttempt: boolean): Promise<boolean> {
    if (!(error instanceof UpstreamError || error instanceof FileStoreError)) return false;
    const isFinal = isLastAttempt || (error instanceof UpstreamError && !error.isRetryable);
    if (isFinal) await this.#refuse(row, error.message);
    else await repo.updateProblem(this.#deps.db, row.id, `${error.message} We'll retry automatically.`);
    return isFinal;
  }

  async #finishChecked(row: UploadRow, signal: AbortSignal): Promise<void> {
    const { id, account_id: accountId, size_bytes: size, keeps_duplicate: keepsDuplicate } = row;
    const visibleFunnelIds = accountId === null ? null : await visibleFunnelsOf(this.#deps.db, accountId);
    const open = () => this.#deps.files.resumeShared('video', id, size);
    const outcome = await this.#recordings.store({ id, size, keepsDuplicate, visibleFunnelIds, open }, signal);
    if (outcome.status === 'refused') return this.#refuse(row, outcome.reason);
    if (outcome.status === 'stored') return this.#addInterview(row, outcome.recording);
    const next = { state: 'duplicate', duplicate_of: outcome.interviewId, problem: DUPLICATE } as const;
    await repo.updateState(this.#deps.db, { id, from: ['checking'] }, next);
  }

  async #addInterview(row: UploadRow, recording: StoredRecording): Promise<void> {
    const { id, funnel_id: funnelId } = row;
    const refusal = await this.#deps.db.transaction().execute(async (tx) => {
      // An erasure and the deletion of a funnel lock in this order.
      await blockErasures(tx);
      const locked = await repo.lockUpload(tx, id);
      if (!locked) {
        // Canceled or erased in the meantime.
        await this.#removeFiles(tx, [id]);
        return null;
      }
      const { thumbnail_file: thumbnailFile } = locked;
      const details = detailsOf(locked);
      const reason = await this.#recordings.addInterview(tx, { id, funnelId, thumbnailFile, details }, recording);
      if (reason === null) await repo.updateState(tx, { id, from: ['checking'] }, { state: 'done' });
      return reason;
    });
    if (refusal !== null) await this.#refuse(row, refusal);
  }

  async #refuse({ id, funnel_id: funnelId }: UploadRow, problem: string): Promise<void> {
    const { db, events } = this.#deps;
    await db.transaction().execute(async (tx) => {
      if (!(await repo.updateState(tx, { id, from: ['receiving', 'checking'] }, { state: 'failed', problem }))) return;
      await this.#removeFiles(tx, [id]);
      await events.record(tx, 'upload.refused', { interviewId: id, funnelId, reason: problem });
    });
  }

  /** Rejects the upload when its first bytes are not a recording. */
  async #expectRecording(id: string, partial: PartialFile, next: readonly Uint8Array[]): Promise<void> {
    const stored = new Uint8Array(partial.size);
    await partial.read(stored, 0).catch(rethrowStoreError);
    const start = Buffer.concat([stored, ...next], stored.length + SIGNATURE_BYTES).subarray(0, SIGNATURE_BYTES);
    const arrived = next.reduce((sum, { length }) => sum + length, stored.length);
    if (arrived < SIGNATURE_BYTES) return;
    const reason = this.#deps.intake.refusalOf('video', start);
    if (reason === null) return;
    await partial.truncate();
    const row = await repo.findUpload(this.#deps.db, id);
    if (row) await this.#refuse(row, reason);
    throw new AppError('unsupported_media_type', reason);
  }

  async #expectUploadFunnel(tx: Executor, id: number): Promise<void> {
    const funnel = isFunnelVisible(id) ? await this.#deps.funnels.find(tx, id) : null;
    if (!funnel) throw new AppError('not_found', 'This funnel no longer exists.', { field: 'funnelId' });
    if (funnel.source !== 'upload')
      throw new AppError('conflict', 'The interviews of this funnel come from a service. Choose a funnel for uploads.');
  }

  async #storeThumbnail(id: string, image: Buffer): Promise<void> {
    const stored = await this.#recordings
      .storeThumbnail(id, image, AbortSignal.timeout(THUMBNAIL_TIMEOUT_MS))
      .catch(rethrowStoreError);
    if ('reason' in stored) throw new AppError('invalid_input', stored.reason, { field: 'thumbnail' });
    if (await repo.updateThumbnail(this.#deps.db, id, stored.name)) return;
    // Deleted in the meantime, with the files that it had.
    await this.#removeFiles(this.#deps.db, [id]);
    throw uploadNotFound();
  }

  #openShared(id: string, size: number): Promise<SharedFile> {
    return this.#deps.files.resumeShared('video', id, size).catch(rethrowStoreError);
  }

  async #removeFiles(tx: Executor, ids: readonly string[]): Promise<void> {
    await this.#deps.removal.enqueue(tx, filesOfUploads(ids));
  }
}

/** The thumbnail may be scanned for viruses. */
const THUMBNAIL_TIMEOUT_MS = 20_000;

const UNEXPECTED = 'An unexpected error occurred. Upload the file again.';
const TOO_SLOW = 'The connection is too slow. Retry continues where it stopped.';
const MORE_THAN_SIZE = 'This request has more bytes than the size of the upload.';
const DUPLICATE = 'An interview already has this recording.';

const tooLarge = (maxBytes: number) =>
  `This file is too large: at most ${Math.floor(maxBytes / 2 ** 20).toLocaleString('en-US')} MB.`;

const columnsOf = (accountId: number, form: Omit<UploadForm, 'thumbnail'>) => ({
  id: `upload-${randomUUID()}`,
  account_id: accountId,
  funnel_id: form.funnelId,
  file_name: form.fileName,
  size_bytes: form.size,
  modified_at: form.modifiedAt,
  candidate_name: form.candidateName,
  candidate_email: form.candidateEmail,
  title: form.title,
  recorded_at: form.recordedDate,
});

const detailsOf = (row: UploadRow) => ({
  candidateName: row.candidate_name,
  candidateEmail: row.candidate_email,
  title: row.title,
  recordedDate: row.recorded_at?.toISOString() ?? null,
});

function rethrowStoreError(error: unknown): never {
  if (error instanceof FileStoreError || error instanceof UpstreamError)
    throw new AppError('unavailable', error.message, { cause: error, retryAfterSeconds: 30 });
  throw error;
}
