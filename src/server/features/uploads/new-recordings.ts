import type { RecordingDetails } from '#contracts/uploads.ts';
import type { Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import { ERASED_REASON } from '#server/features/erasure/tombstones.service.ts';
import type { Interviews } from '#server/features/interviews/interviews.service.ts';
import type { FileIntake, IntakeVerdict } from '#server/ports/file-intake.ts';
import type { FileStore, PartialFile, SharedFile } from '#server/ports/file-store.ts';
import type { MediaInspector } from '#server/ports/media-inspector.ts';
import { insertChecksum, listInterviewsOfChecksum } from './uploads.repo.ts';

export interface NewRecordingsDeps {
  db: Executor;
  events: Events;
  files: FileStore;
  intake: FileIntake;
  inspector: MediaInspector;
  interviews: Pick<Interviews, 'insertUploaded' | 'keepVisible'>;
}

/** The extensions of uploaded recordings. */
const EXTENSIONS = ['mp4', 'mov', 'webm', 'm4a', 'mp3'];
const THUMBNAIL_EXTENSIONS = ['jpg', 'png', 'webp', 'gif', 'avif'];

/** A recording in the file store that has no interview yet. */
export interface StoredRecording {
  name: string;
  sha256: string;
  /** Null when it is unknown. */
  seconds: number | null;
}

export type StoreOutcome =
  | { status: 'stored'; recording: StoredRecording }
  | { status: 'duplicate'; interviewId: string }
  | { status: 'refused'; reason: string };

interface ReceivedFile {
  id: string;
  size: number;
  keepsDuplicate: boolean;
  /** The funnels in which a duplicate counts: those that the uploader sees. Null: all. */
  visibleFunnelIds: readonly number[] | null;
  open(): Promise<PartialFile | SharedFile>;
}

interface NewInterview {
  id: string;
  funnelId: number;
  thumbnailFile: string | null;
  details: RecordingDetails;
}

const filesOfUpload = (id: string) => [
  ...['', ...EXTENSIONS.map((extension) => `.${extension}`)].map((end) => ({
    kind: 'video' as const,
    name: `${id}${end}`,
  })),
  ...THUMBNAIL_EXTENSIONS.map((extension) => ({ kind: 'thumbnail' as const, name: `${id}.${extension}` })),
];

/** Lists all files that uploads may have stored. A partial file has no extension. */
export const filesOfUploads = (ids: readonly string[]) =>
  ids.flatMap((interviewId) => filesOfUpload(interviewId).map((file) => ({ interviewId, ...file })));

/** Turns recordings that did not come from an interview service into interviews. */
export class NewRecordings {
  readonly #deps: NewRecordingsDeps;

  constructor(deps: NewRecordingsDeps) {
    this.#deps = deps;
  }

  /**
   * Checks the file of the upload `id`, which must have `size` bytes, and stores it. A repeated
   * call after a crash finds the stored file.
   * @throws UpstreamError, FileStoreError
   */
  async store(file: ReceivedFile, signal: AbortSignal): Promise<StoreOutcome> {
    const { id, size, keepsDuplicate, open } = file;
    const { intake } = this.#deps;
    const stored = await this.#findStored(id, signal);
    if (stored) return stored;
    const partial = await open();
    try {
      if (partial.size !== size) return refused('Part of the file is missing. Upload it again.');
      if ('seal' in partial) await partial.seal();
      const verdict = await intake.check('video', partial, signal);
      if (verdict.status !== 'clean') return refused(verdict.reason);
      const interviewId = keepsDuplicate ? null : await this.#findDuplicate(verdict.sha256, file);
      if (interviewId !== null) return { status: 'duplicate', interviewId };
      const name = `${id}.${verdict.extension}`;
      await partial.commit(name);
      return await this.#measureStored(name, verdict);
    } finally {
      await partial.close();
    }
  }

  /** Checks an image and stores it. Returns its name, or the reason to refuse it. */
  async storeThumbnail(
    id: string,
    image: Uint8Array,
    signal: AbortSignal,
  ): Promise<{ name: string } | { reason: string }> {
    const verdict = await this.#deps.intake.check('thumbnail', fileOf(image), signal);
    if (verdict.status !== 'clean') return { reason: verdict.reason };
    const name = `${id}.${verdict.extension}`;
    const partial = await this.#deps.files.resume('thumbnail', name);
    try {
      await partial.truncate();
      await partial.append(image);
      await partial.commit();
    } finally {
      await partial.close();
    }
    return { name };
  }

  /**
   * Adds the interview of a stored recording, or returns the reason to refuse it.
   * @throws AppError conflict when the erased interviews cannot be determined
   */
  async addInterview(
    tx: Executor,
    { id, funnelId, thumbnailFile, details }: NewInterview,
    { name, sha256, seconds }: StoredRecording,
  ): Promise<string | null> {
    const { interviews, events } = this.#deps;
    const title = details.title ?? details.candidateName;
    const files = { video: name, thumbnail: thumbnailFile, seconds: seconds ?? 0 };
    const isErased = !(await interviews.insertUploaded(tx, funnelId, { id, ...details, title, ...files }));
    if (isErased) return ERASED_REASON;
    await insertChecksum(tx, { interview_id: id, sha256 });
    await events.record(tx, 'interview.added', { funnelId, interviewIds: [id] });
    await events.record(tx, 'upload.added', { interviewId: id, title, funnelId });
    return null;
  }

  async #findDuplicate(sha256: string, { visibleFunnelIds }: ReceivedFile): Promise<string | null> {
    const { db, interviews } = this.#deps;
    const same = await listInterviewsOfChecksum(db, sha256);
    return (await interviews.keepVisible(db, same, visibleFunnelIds))[0] ?? null;
  }

  async #findStored(id: string, signal: AbortSignal): Promise<StoreOutcome | null> {
    const { files, intake } = this.#deps;
    for (const extension of EXTENSIONS) {
      const name = `${id}.${extension}`;
      const open = (await files.stat('video', name)) && (await files.open('video', name));
      if (!open) continue;
      try {
        const { size } = open.file;
        const read = open.read.bind(open);
        const verdict = await intake.check('video', { size, read }, signal);
        return verdict.status === 'clean' ? await this.#measureStored(name, verdict) : refused(verdict.reason);
      } finally {
        await open.close();
      }
    }
    return null;
  }

  async #measureStored(name: string, { sha256 }: Extract<IntakeVerdict, { status: 'clean' }>): Promise<StoreOutcome> {
    const seconds = await this.#deps.inspector.durationSeconds(name);
    return { status: 'stored', recording: { name, sha256, seconds } };
  }
}

const refused = (reason: string): StoreOutcome => ({ status: 'refused', reason });

const fileOf = (bytes: Uint8Array): Pick<PartialFile, 'read' | 'size'> => ({
  size: bytes.length,
  async read(buffer, position) {
    const part = bytes.subarray(position, position + buffer.length);
    buffer.set(part);
    return part.length;
  },
});
