import { useEffect } from 'react';
import { type DetailedError, Upload as TusUpload } from 'tus-js-client';
import { progressPercent } from '#contracts/rules/format.ts';
import { parseJson } from '#contracts/rules/parse-json.ts';
import { MIN_PIECE_BYTES, nextPieceBytes } from '#contracts/rules/piece-size.ts';
import {
  guessRecordingRow,
  type RecordingRow,
  type RowProblems,
  validateRecordingRow,
} from '#contracts/rules/recording-rows.ts';
import type { Upload } from '#contracts/uploads.ts';
import { ApiError } from '#web/lib/api-error.ts';
import { call } from '#web/lib/call.ts';
import { createStore } from '#web/lib/store.ts';
import { dayParam } from '#web/ui/forms/date-range.ts';
import { makeThumbnail } from './make-thumbnail.ts';
import { progressKey, shownProgress } from './shown-progress.ts';

/**
 * - `ready`: the user enters the details
 * - `waiting`: starts when another upload has ended
 * - `sending`: bytes are being sent
 * - `sent`: the server has all bytes, and its list of uploads has the state
 * - `stopped`: `error` is the reason; the user can retry it
 */
type Phase = 'ready' | 'waiting' | 'sending' | 'sent' | 'stopped';

/** A chosen file. */
export interface QueuedFile {
  key: string;
  file: File;
  funnelId: number;
  row: Omit<RecordingRow, 'fileName'>;
  problems: RowProblems;
  phase: Phase;
  /** 0 to 100. */
  percent: number;
  error: string | null;
  /** Null until the server knows about it. */
  uploadId: string | null;
}

const MAX_SENDING = 3;
const RETRY_DELAYS_MS = [500, 1_000, 3_000, 5_000, 10_000, 20_000];
const INTERRUPTED = 'The connection was interrupted. Retry continues where it stopped.';
const MISSING = 'This upload no longer exists. Retry starts it again.';
const SIGNED_OUT = 'You were signed out. Sign in, then retry.';

/** False when a proxy has refused a large piece. */
const acceptsLargePieces = createStore(true);
const owner = createStore<number | null>(null);
const NO_FILES: readonly QueuedFile[] = [];
const files = createStore(NO_FILES);
/** Sent files that the shown progress no longer counts, because all uploads had ended. */
const ended = createStore<ReadonlySet<QueuedFile['key']>>(new Set());
/** The uploads that are being sent, by the key of their file. */
const senders = createStore<ReadonlyMap<string, TusUpload>>(new Map());

function removeSender(key: string): void {
  senders.set(new Map([...senders.get()].filter(([other]) => other !== key)));
}

function setFiles(next: readonly QueuedFile[]): void {
  files.set(next);
  if (!next.some(({ phase }) => phase === 'waiting' || phase === 'sending'))
    ended.set(new Set(next.filter(({ phase }) => phase === 'sent').map(({ key }) => key)));
  announceProgress();
}

function announceProgress(): void {
  const funnelIds = [...new Set(files.get().map(({ funnelId }) => funnelId))];
  shownProgress.set(Object.fromEntries(funnelIds.map((id) => [progressKey(owner.get() ?? 0, id), progressText(id)])));
}

/** Returns the sent share of the started uploads, or the number of stopped ones after all ended. */
function progressText(funnelId: number): string {
  const started = files
    .get()
    .filter((one) => one.funnelId === funnelId && one.phase !== 'ready' && !ended.get().has(one.key));
  const stopped = started.filter(({ phase }) => phase === 'stopped').length;
  if (started.every(({ phase }) => phase === 'sent' || phase === 'stopped'))
    return stopped > 0 ? `${stopped} failed` : '';
  const size = started.reduce((sum, { file }) => sum + file.size, 0);
  const sent = started.reduce((sum, { file, percent }) => sum + (file.size * percent) / 100, 0);
  return `${progressPercent(sent, size)}%`;
}

const keyOf = (file: File, funnelId: number) => `${funnelId} ${file.name} ${file.size} ${file.lastModified}`;
const find = (key: string) => files.get().find((one) => one.key === key);
/** False when the file was canceled, also if the same one has been chosen again since. */
const isListed = ({ key, file }: QueuedFile) => find(key)?.file === file;
const update = (key: string, part: Partial<QueuedFile>) =>
  setFiles(files.get().map((one) => (one.key === key ? { ...one, ...part } : one)));

/** The chosen files of a funnel whose details can still be changed. */
export const readyFiles = (funnelId: number): QueuedFile[] =>
  files.get().filter((one) => one.funnelId === funnelId && one.phase === 'ready');

/** Drops the files of another user of this tab, who must neither see nor continue them. */
export function claimQueue(accountId: number): void {
  if (owner.get() === accountId) return;
  for (const sender of senders.get().values()) void sender.abort();
  senders.set(new Map());
  files.set(NO_FILES);
  owner.set(accountId);
}

/** The files that this page uploads. Uploads continue while the dialog is closed. */
export function useQueuedFiles(accountId: number): readonly QueuedFile[] {
  claimQueue(accountId);
  useEffect(() => {
    if (owner.get() === accountId) announceProgress();
  }, [accountId]);
  return files.use();
}

/** True when the interrupted upload is of this file. */
const isSameFile = ({ fileName, size, modifiedAt }: Upload, file: File): boolean =>
  fileName === file.name && size === file.size && Date.parse(modifiedAt) === file.lastModified;

/**
 * Adds files that are not in the list. An interrupted upload of such a file resumes immediately.
 */
export function addFiles(chosen: readonly File[], funnelId: number, unfinished: readonly Upload[]): void {
  for (const file of chosen) {
    const key = keyOf(file, funnelId);
    if (find(key)) continue;
    const interrupted = unfinished.find((upload) => upload.funnelId === funnelId && isSameFile(upload, file));
    const { fileName: _, ...guessed } = guessRecordingRow(file.name);
    const row = interrupted ? rowOf(interrupted) : { ...guessed, recordedDate: guessed.recordedDate || dayOf(file) };
    setFiles([
      ...files.get(),
      {
        key,
        file,
        funnelId,
        row,
        problems: {},
        phase: 'ready',
        percent: 0,
        error: null,
        uploadId: interrupted?.id ?? null,
      },
    ]);
    if (interrupted) startFile(key);
  }
}

const rowOf = ({ candidateName, candidateEmail, title, recordedDate }: Upload) => ({
  candidateName,
  candidateEmail: candidateEmail ?? '',
  title: title ?? '',
  recordedDate: recordedDate ? dayParam(new Date(recordedDate)) : '',
});

const dayOf = ({ lastModified }: File) => dayParam(new Date(lastModified));

export function changeRow(key: string, part: Partial<QueuedFile['row']>): void {
  const one = find(key);
  if (!one) return;
  const problems = Object.fromEntries(Object.entries(one.problems).filter(([field]) => !(field in part)));
  update(key, { row: { ...one.row, ...part }, problems });
}

export function removeFile(key: string): void {
  void senders.get().get(key)?.abort();
  removeSender(key);
  setFiles(files.get().filter((one) => one.key !== key));
  sendNext();
}

/** Starts the files whose details are valid. Returns false when some are not. */
export function startAll(keys: readonly string[]): boolean {
  let areValid = true;
  for (const key of keys) {
    const one = find(key);
    const validated = one && validateRecordingRow(one.row);
    if (validated && 'problems' in validated) {
      update(key, { problems: validated.problems });
      areValid = false;
    } else startFile(key);
  }
  return areValid;
}

export function startFile(key: string): void {
  update(key, { phase: 'waiting', error: null });
  sendNext();
}

function sendNext(): void {
  const next = files.get().find(({ phase }) => phase === 'waiting');
  if (!next || files.get().filter(({ phase }) => phase === 'sending').length >= MAX_SENDING) return;
  update(next.key, { phase: 'sending' });
  sendFile(next).catch((error: unknown) => stopFile(next, error));
  sendNext();
}

function stopFile(one: QueuedFile, error: unknown): void {
  if (!isListed(one)) return;
  const { key, row } = one;
  removeSender(key);
  const field = error instanceof ApiError ? error.field : undefined;
  if (field !== undefined && field in row)
    // The form shows the label of the field instead of its name.
    update(key, { phase: 'ready', problems: { [field]: messageOf(error).replace(`${field} `, '') } });
  else if (statusOf(error) === 404) update(key, { phase: 'stopped', error: MISSING, uploadId: null });
  else update(key, { phase: 'stopped', error: messageOf(error) });
  sendNext();
}

const statusOf = (error: unknown) => (error as Partial<DetailedError>).originalResponse?.getStatus();

function messageOf(error: unknown): string {
  const response = (error as Partial<DetailedError>).originalResponse;
  if (!response) return error instanceof ApiError ? error.message : INTERRUPTED;
  if (response.getStatus() === 401) return SIGNED_OUT;
  return Object(parseJson(response.getBody())).message ?? INTERRUPTED;
}

async function sendFile(one: QueuedFile): Promise<void> {
  const { key } = one;
  const uploadId = one.uploadId ?? (await createUpload(one));
  if (!isListed(one)) {
    // Canceled in the meantime.
    if (uploadId !== null) await call('DELETE /api/uploads/:id', { params: { id: uploadId } });
    return;
  }
  if (uploadId === null) {
    update(key, { phase: 'stopped', error: SIGNED_OUT });
    return sendNext();
  }
  update(key, { uploadId });
  let began = 0;
  const sender = new TusUpload(one.file, {
    uploadUrl: `/api/uploads/${uploadId}/content`,
    chunkSize: MIN_PIECE_BYTES,
    retryDelays: RETRY_DELAYS_MS,
    storeFingerprintForResuming: false,
    onBeforeRequest(request) {
      began = performance.now();
      // HEAD follows an error, perhaps because the last piece was too large for the connection.
      if (request.getMethod() === 'HEAD') sender.options.chunkSize = MIN_PIECE_BYTES;
    },
    onChunkComplete(bytes) {
      const seconds = (performance.now() - began) / 1_000;
      sender.options.chunkSize = acceptsLargePieces.get() ? nextPieceBytes({ bytes, seconds }) : MIN_PIECE_BYTES;
    },
    onProgress: (sent, total) => isListed(one) && update(key, { percent: Math.floor((100 * sent) / total) }),
    onSuccess: () => {
      if (!isListed(one)) return;
      removeSender(key);
      update(key, { phase: 'sent', percent: 100 });
      sendNext();
    },
    onError(error) {
      const wasLarge = Number(sender.options.chunkSize) > MIN_PIECE_BYTES;
      if (statusOf(error) !== 413 || !wasLarge || !isListed(one)) return stopFile(one, error);
      acceptsLargePieces.set(false);
      sender.start();
    },
  });
  senders.set(new Map([...senders.get(), [key, sender]]));
  sender.start();
}

/** Returns null when the session has expired. */
async function createUpload({ file, funnelId, row }: QueuedFile): Promise<string | null> {
  const validated = validateRecordingRow(row);
  if ('problems' in validated) return null;
  const body = {
    ...validated.details,
    funnelId,
    fileName: file.name,
    size: file.size,
    modifiedAt: new Date(file.lastModified).toISOString(),
    thumbnail: await makeThumbnail(file),
  };
  return (await call('POST /api/uploads', { body }))?.id ?? null;
}

addEventListener('beforeunload', (event) => {
  if (files.get().some(({ phase }) => phase === 'sending' || phase === 'waiting')) event.preventDefault();
});
