import { randomUUID } from 'node:crypto';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Funnel } from '#contracts/funnels.ts';
import { validateRecordingRow } from '#contracts/rules/recording-rows.ts';
import type { RecordingDetails } from '#contracts/uploads.ts';
import type { Claims } from '#server/db/claims.ts';
import type { Database } from '#server/db/database.ts';
import type { Funnels } from '#server/features/funnels/funnels.service.ts';
import type { FileRemoval } from '#server/features/media/file-removal.service.ts';
import type { Log } from '#server/ports/log.ts';
import { READ_FILE, readFolderRow } from './folder-metadata.ts';
import { moveAway, prepareFolder } from './folder-moves.ts';
import { findFolderProblem } from './folder-problem.ts';
import { filesOfUploads, NewRecordings, type NewRecordingsDeps } from './new-recordings.ts';

/** How often the folder is read, and how long a file must have been unchanged. */
export interface FolderPace {
  intervalMs: number;
  stableMs: number;
}

export const FOLDER_PACE: FolderPace = { intervalMs: 5_000, stableMs: 10_000 };

interface UploadFolderDeps extends NewRecordingsDeps {
  db: Database;
  log: Log;
  claims: Claims;
  funnels: Pick<Funnels, 'list'>;
  removal: Pick<FileRemoval, 'removeUnlessKept'>;
  /** Larger recordings are rejected. */
  maxBytes: number;
  folder: string;
  pace: FolderPace;
}

/** A recording in the folder of a funnel. */
interface FoundRecording {
  folder: string;
  name: string;
  size: number;
  changedAt: number;
  funnel: Funnel;
}

const IS_RECORDING = /^[^.].*\.(mp4|m4v|mov|webm|m4a|mp3)$/i;

/**
 * Adds recordings that other programs put into `UPLOAD_FOLDER/<id or name of a funnel>`, and moves
 * them to `done`. Refused recordings are moved to `failed`, with a file that contains the reason.
 */
export class UploadFolder {
  readonly #deps: UploadFolderDeps;
  readonly #recordings: NewRecordings;
  /** The size of each file at the last scan. */
  #sizes = new Map<string, number>();
  /** The modification times of decided recordings that could not be moved. */
  readonly #unmoved = new Map<string, number>();
  /** Why the folder cannot be used, as recorded last. */
  #problem: string | null = null;
  /** The warnings of the last scan and of this one: a repeated one is not logged again. */
  #warnings = { before: new Set<string>(), now: new Set<string>() };
  readonly #stopping = new AbortController();
  #running: Promise<void> | null = null;

  constructor(deps: UploadFolderDeps) {
    this.#deps = deps;
    this.#recordings = new NewRecordings(deps);
  }

  get intervalMs(): number {
    return this.#deps.pace.intervalMs;
  }

  /** Adds the complete recordings. Does nothing while an earlier call runs. */
  async scan(): Promise<void> {
    if (this.#running) return;
    const { signal } = this.#stopping;
    this.#running = this.#deps.claims.runExclusively('upload folder', signal, () => this.#scan(signal));
    await this.#running.finally(() => {
      this.#running = null;
    });
  }

  /** Records when the folder becomes unusable or usable. Returns true when it is usable. */
  async check(): Promise<boolean> {
    const { folder, db, events, log } = this.#deps;
    const problem = await findFolderProblem(folder);
    if (problem !== this.#problem) {
      if (problem !== null) log.error(problem);
      await events.record(db, 'upload-folder.changed', { problem });
      this.#problem = problem;
    }
    return problem === null;
  }

  /** Stops after the current piece of a file. The next process adds the file. */
  async close(): Promise<void> {
    this.#stopping.abort(new Error('The process stops.'));
    await this.#running?.catch(() => {});
  }

  async #scan(signal: AbortSignal): Promise<void> {
    const { folder, funnels } = this.#deps;
    if (!(await this.check())) return;
    this.#warnings = { before: this.#warnings.now, now: new Set() };
    const uploadFunnels = (await funnels.list()).filter(({ source }) => source === 'upload');
    const sizes = new Map<string, number>();
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const funnel = entry.isDirectory() ? funnelOf(entry.name, uploadFunnels) : undefined;
      if (!funnel) continue;
      // An error of one folder or file must not stop the others.
      const listed = await this.#listRecordings(join(folder, entry.name), funnel, sizes).catch((error) =>
        this.#warn(funnel, error),
      );
      for (const recording of listed ?? [])
        await this.#addRecording(recording, signal).catch((error) => {
          signal.throwIfAborted();
          this.#warn(funnel, error);
        });
    }
    this.#sizes = sizes;
  }

  /** Logs the code of the error, because its message contains the name of the file. */
  #warn({ id }: Funnel, error: NodeJS.ErrnoException): void {
    const warning = `a recording in UPLOAD_FOLDER was left where it is: ${error.code ?? error.message}`;
    const { before, now } = this.#warnings;
    const key = `${id} ${warning}`;
    if (!before.has(key) && !now.has(key)) this.#deps.log.warn({ funnel: id }, warning);
    now.add(key);
  }

  /** A name that is not UTF-8 is read with U+FFFD in it, and no file has that name. */
  #warnOfName({ id }: Funnel, path: string): void {
    if (!path.includes('\uFFFD') || this.#unmoved.has(path)) return;
    this.#unmoved.set(path, 0);
    this.#deps.log.warn({ funnel: id }, 'a recording in UPLOAD_FOLDER has a name that is not UTF-8: rename it');
  }

  /** Lists the recordings whose size and time have not changed for a while. Ignores links. */
  async #listRecordings(folder: string, funnel: Funnel, sizes: Map<string, number>): Promise<FoundRecording[]> {
    const found: FoundRecording[] = [];
    const entries = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
    const names = entries.map(({ name }) => name).filter((name) => IS_RECORDING.test(name));
    for (const name of names.toSorted()) {
      const path = join(folder, name);
      const stats = await lstat(path).catch(() => null);
      if (!stats) this.#warnOfName(funnel, path);
      if (!stats || this.#unmoved.get(path) === stats.mtimeMs) continue;
      sizes.set(path, stats.size);
      const isUnchanged = this.#sizes.get(path) === stats.size && stats.size > 0;
      // A time in the future is from another clock. A file that is being written has our time.
      if (isUnchanged && Math.abs(Date.now() - stats.mtimeMs) >= this.#deps.pace.stableMs)
        found.push({ folder, name, size: stats.size, changedAt: stats.mtimeMs, funnel });
    }
    return found;
  }

  /** Errors of the store and the scanner leave the file in the folder for the next scan. */
  async #addRecording(recording: FoundRecording, signal: AbortSignal): Promise<void> {
    const id = `upload-${randomUUID()}`;
    const { folder, name, changedAt } = recording;
    // Checked first: without write access, each scan would add the recording again.
    await prepareFolder(folder, 'done');
    const reason = await this.#addInterview(id, recording, signal);
    if (reason !== null) await this.#recordRefusal(id, recording, reason);
    await moveAway({ from: folder, name, reason }).catch((error: unknown) => {
      this.#unmoved.set(join(folder, name), changedAt);
      throw error;
    });
  }

  /** Returns the reason to refuse the recording, or null when its interview was added. */
  async #addInterview(id: string, recording: FoundRecording, signal: AbortSignal): Promise<string | null> {
    const { maxBytes, db, files, removal } = this.#deps;
    const { folder, name, size, funnel } = recording;
    if (size > maxBytes) return `The file is larger than MAX_VIDEO_BYTES (${maxBytes}).`;
    const found = await readFolderRow(folder, name);
    if ('reason' in found) return found.reason;
    const validated = validateRecordingRow(found.row);
    if ('problems' in validated) return describeProblems(validated.problems);
    return removal.removeUnlessKept(filesOfUploads([id]), async (keep) => {
      await this.#copy(id, recording, signal);
      const outcome = await this.#recordings.store(
        { id, size, keepsDuplicate: false, visibleFunnelIds: null, open: () => files.resume('video', id) },
        signal,
      );
      if (outcome.status === 'refused') return outcome.reason;
      if (outcome.status === 'duplicate') return `The interview ${outcome.interviewId} already has this recording.`;
      const details: RecordingDetails = validated.details;
      const interview = { id, funnelId: funnel.id, thumbnailFile: null, details };
      return db.transaction().execute(async (tx) => {
        const reason = await this.#recordings.addInterview(tx, interview, outcome.recording);
        if (reason === null) await keep(tx);
        return reason;
      });
    });
  }

  /** Fails when the file was changed or replaced since it was listed. */
  async #copy(id: string, { folder, name, size, changedAt }: FoundRecording, signal: AbortSignal): Promise<void> {
    const path = join(folder, name);
    const partial = await this.#deps.files.resume('video', id);
    try {
      const bytes = (await open(path, READ_FILE)).createReadStream({ signal, highWaterMark: 2 ** 20, end: size - 1 });
      for await (const chunk of bytes) await partial.append(chunk);
      const stats = await lstat(path);
      if (stats.size !== size || stats.mtimeMs !== changedAt) throw new Error('it is still being written');
    } finally {
      await partial.close();
    }
  }

  async #recordRefusal(id: string, { funnel }: FoundRecording, reason: string): Promise<void> {
    const { db, events, log } = this.#deps;
    log.warn({ funnel: funnel.id }, `a recording in UPLOAD_FOLDER was rejected: ${reason}`);
    await events.record(db, 'upload.refused', { interviewId: id, funnelId: funnel.id, reason });
  }
}

/** Finds a funnel by our id, or by its name in any case. */
const funnelOf = (name: string, funnels: readonly Funnel[]): Funnel | undefined =>
  funnels.find((funnel) => String(funnel.id) === name) ??
  funnels.find((funnel) => comparable(funnel.name) === comparable(name));

const comparable = (text: string) => text.trim().normalize('NFC').toLowerCase();

const describeProblems = (problems: object): string =>
  `${Object.entries(problems)
    .map(([field, problem]) => `${field} ${problem}`)
    .join('; ')}. Correct the JSON or CSV file, or the name of the recording.`;
