import type { Database, Executor } from '#server/db/database.ts';
import type { WrittenNote } from '#server/ports/ats.ts';
import {
  type DeletedInterviewRow,
  deleteDeletedInterviews,
  deleteDeletedInterviewsBefore,
  insertDeletedInterviews,
  listDeletedInterviews,
  listDeletedInterviewsAfter,
} from './deleted-interviews.repo.ts';
import type { ErasureKey } from './erasure-key.ts';
import type { Tombstones } from './tombstones.service.ts';
import type { UnwantedVideo } from './video-removal.repo.ts';

const DAY_MS = 86_400_000;
const BATCH_SIZE = 500;

/** The part of an interview that an erasure needs after its funnel was deleted. */
export interface DeletedInterview {
  id: string;
  name: string | null;
  email: string | null;
  phone: string | null;
  /** Names of its files, and addresses, which log entries may contain. */
  texts: readonly string[];
  video: UnwantedVideo | null;
  /**
   * In the ATS, where they stay when a funnel is deleted. Missing in records of earlier releases.
   */
  notes?: readonly WrittenNote[];
}

/** A stored record. An interview that was deleted, synced and deleted again has several. */
export type StoredDeletedInterview = DeletedInterview & { rowId: number; deletedAt: Date };

interface DeletedInterviewsDeps {
  db: Database;
  tombstones: Tombstones;
  /** Kept as long as the log entries about them. */
  retentionDays: number;
}

/** Interviews that were deleted with their funnel. */
export class DeletedInterviews {
  readonly #deps: DeletedInterviewsDeps;

  constructor(deps: DeletedInterviewsDeps) {
    this.#deps = deps;
  }

  /** Call it after `lockErasure`. */
  async record(tx: Executor, interviews: readonly DeletedInterview[]): Promise<void> {
    const key = await this.#deps.tombstones.findOrCreateKey(tx);
    const rows = interviews.map(({ id, ...personal }) => ({
      interview_id: id,
      email_mark: personal.email ? key.markOfEmail(personal.email) : null,
      sealed: key.sealer.seal(JSON.stringify(personal), contextOf(id)),
    }));
    await insertDeletedInterviews(tx, rows);
  }

  async list(
    db: Executor,
    { ids, emails }: { ids: readonly string[]; emails: readonly string[] },
  ): Promise<StoredDeletedInterview[]> {
    const key = await this.#deps.tombstones.findKey(db);
    if (!key) return [];
    const emailMarks = emails.map((email) => key.markOfEmail(email));
    return (await listDeletedInterviews(db, { ids, emailMarks })).map((row) => openRow(key, row));
  }

  /** All of them, in batches. */
  async *listAll(db: Executor): AsyncGenerator<StoredDeletedInterview[]> {
    const key = await this.#deps.tombstones.findKey(db);
    if (!key) return;
    for (let last = 0; ; ) {
      const rows = await listDeletedInterviewsAfter(db, last, BATCH_SIZE);
      const end = rows.at(-1);
      if (!end) return;
      yield rows.map((row) => openRow(key, row));
      last = end.id;
    }
  }

  async delete(tx: Executor, interviews: readonly StoredDeletedInterview[]): Promise<void> {
    await deleteDeletedInterviews(
      tx,
      interviews.map(({ rowId }) => rowId),
    );
  }

  async deleteExpired(): Promise<void> {
    const { db, retentionDays } = this.#deps;
    await deleteDeletedInterviewsBefore(db, new Date(Date.now() - retentionDays * DAY_MS));
  }
}

const contextOf = (interviewId: string) => `deleted interview\n${interviewId}`;

function openRow(key: ErasureKey, row: DeletedInterviewRow): StoredDeletedInterview {
  const opened = key.sealer.open(row.sealed, contextOf(row.interview_id));
  if (opened === null) throw new Error(`The deleted interview in row ${row.id} was sealed with another key`);
  const personal = JSON.parse(opened) as Omit<DeletedInterview, 'id'>;
  return { ...personal, id: row.interview_id, rowId: row.id, deletedAt: row.deleted_at };
}
