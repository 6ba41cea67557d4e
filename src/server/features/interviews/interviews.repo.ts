import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import { versionOf } from '../../db/text-version.ts';
import type { FileKind } from '../../ports/file-store.ts';
import { stableUrl } from './file-names.ts';
import type { FileColumns } from './files-of.ts';
import type { InterviewRow } from './interviews.view.ts';

export const findInterview = (db: Executor, id: string): Promise<InterviewRow | undefined> =>
  db
    .selectFrom('interview')
    .innerJoin('funnel', 'funnel.id', 'interview.funnel_id')
    .leftJoin('interview_text', 'interview_text.interview_id', 'interview.id')
    .selectAll('interview')
    .select([
      'funnel.client_name',
      'funnel.external_id',
      'interview_text.transcription_text',
      'interview_text.summary_text',
    ])
    .where('interview.id', '=', id)
    .executeTakeFirst();

/** Only while no length is known: what the service or an earlier player said is not overwritten. Resolves with the length that counts. */
export async function fillDuration(db: Executor, id: string, seconds: number): Promise<number | undefined> {
  const filled = await db
    .updateTable('interview')
    .set({ duration_seconds: seconds })
    .where('id', '=', id)
    .where('duration_seconds', '=', 0)
    .returning('duration_seconds')
    .executeTakeFirst();
  const row =
    filled ?? (await db.selectFrom('interview').select('duration_seconds').where('id', '=', id).executeTakeFirst());
  return row?.duration_seconds;
}

/** Resolves with the title, or with nothing when there is no such interview. Archiving twice keeps the first moment. */
export async function setArchived(
  db: Executor,
  id: string,
  archived: boolean,
): Promise<{ title: string; changed: boolean } | undefined> {
  const row = await db
    .selectFrom('interview')
    .select(['title', 'archived_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return undefined;
  const changed = (row.archived_at !== null) !== archived;
  if (changed) {
    await db
      .updateTable('interview')
      .set({ archived_at: archived ? sql<Date>`now()` : null })
      .where('id', '=', id)
      .execute();
  }
  return { title: row.title, changed };
}

const COLUMNS_OF_TEXT = {
  transcript: { step: 'transcription', column: 'transcription_text' },
  summary: { step: 'summary', column: 'summary_text' },
} as const;
export type TextKind = keyof typeof COLUMNS_OF_TEXT;

/** Completes the step of a text, and holds the interview so that nobody else writes its texts before this transaction has ended. */
export function completeTextStep(tx: Executor, id: string, kind: TextKind): Promise<{ title: string } | undefined> {
  const { step } = COLUMNS_OF_TEXT[kind];
  return tx
    .updateTable('interview')
    .set({
      [`${step}_status`]: 'completed',
      [`${step}_error`]: null,
      [`${step}_note`]: null,
      [`${step}_at`]: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .returning('title')
    .executeTakeFirst();
}

/** The version of a text, also of one that is not there. Undefined when there is no such interview. */
export async function textVersion(db: Executor, id: string, kind: TextKind): Promise<string | undefined> {
  const row = await db
    .selectFrom('interview')
    .leftJoin('interview_text', 'interview_text.interview_id', 'interview.id')
    .select(versionOf(COLUMNS_OF_TEXT[kind].column).as('version'))
    .where('interview.id', '=', id)
    .executeTakeFirst();
  return row?.version;
}

export async function storeText(tx: Executor, id: string, { kind, text }: { kind: TextKind; text: string }) {
  const { column } = COLUMNS_OF_TEXT[kind];
  await tx
    .insertInto('interview_text')
    .values({ interview_id: id, [column]: text })
    .onConflict((conflict) => conflict.column('interview_id').doUpdateSet({ [column]: text }))
    .execute();
}

export const storeDestination = (
  db: Executor,
  id: string,
  destination: { destinationId: string; notes: string | null },
) =>
  db
    .updateTable('interview')
    .set({
      destination_id: destination.destinationId,
      destination_notes: destination.notes,
      destination_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .returning('title')
    .executeTakeFirst();

const COLUMNS_OF_FILE = { video: ['video_url', 'video_file'], thumbnail: ['thumbnail_url', 'thumbnail_file'] } as const;

/** A fetched file and its name in the store; `seconds` is how long a video lasts, null when that is unknown or known already. */
export interface StoredFile {
  interviewId: string;
  kind: FileKind;
  url: string;
  name: string;
  seconds: number | null;
}

/** What says which files these interviews have. */
export const fileColumns = (db: Executor, ids: readonly string[]): Promise<FileColumns[]> =>
  db
    .selectFrom('interview')
    .select(['id', 'video_url', 'video_file', 'thumbnail_url', 'thumbnail_file'])
    .where('id', '=', sql<string>`ANY(${ids}::text[])`)
    .execute();

/**
 * Names fetched files on their interviews, unless an interview has gone or means another file by now. Resolves, file by file, with the
 * name it replaced (null for none), or undefined when the file is not wanted any more.
 */
export async function attachFiles(
  db: Executor,
  files: readonly StoredFile[],
): Promise<({ replaced: string | null } | undefined)[]> {
  // In the order of the ids, as everyone locks who locks several: a page that is being written would wait for us, and we for it.
  const rows = await db
    .selectFrom('interview')
    .select(['id', 'video_url', 'video_file', 'thumbnail_url', 'thumbnail_file'])
    .where('id', '=', sql<string>`ANY(${files.map(({ interviewId }) => interviewId)}::text[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  const named = new Map<string, object>();
  const results = files.map((file) => {
    const [urlColumn, fileColumn] = COLUMNS_OF_FILE[file.kind];
    const row = known.get(file.interviewId);
    const url = row?.[urlColumn];
    if (!row || !url || stableUrl(url) !== stableUrl(file.url)) return undefined;
    const seconds = file.seconds === null ? {} : { seconds: file.seconds };
    named.set(row.id, { ...named.get(row.id), id: row.id, [fileColumn]: file.name, ...seconds });
    return { replaced: row[fileColumn] === file.name ? null : row[fileColumn] };
  });
  if (named.size > 0) await nameFiles(db, [...named.values()]);
  return results;
}

/** A length is filled in only while none is known. */
const nameFiles = (db: Executor, named: readonly object[]) =>
  sql`
    UPDATE interview AS i SET
      video_file = coalesce(n.video_file, i.video_file), thumbnail_file = coalesce(n.thumbnail_file, i.thumbnail_file),
      duration_seconds = CASE i.duration_seconds WHEN 0 THEN coalesce(n.seconds, 0) ELSE i.duration_seconds END
    FROM jsonb_to_recordset(${JSON.stringify(named)}::jsonb) AS n (id text, video_file text, thumbnail_file text, seconds int)
    WHERE i.id = n.id
  `.execute(db);

/** Stores an address that was read anew because the old one had expired. */
export async function renewUrl(
  db: Executor,
  file: { interviewId: string; kind: FileKind; url: string },
): Promise<void> {
  const [urlColumn] = COLUMNS_OF_FILE[file.kind];
  await db
    .updateTable('interview')
    .set({ [urlColumn]: file.url })
    .where('id', '=', file.interviewId)
    .execute();
}
