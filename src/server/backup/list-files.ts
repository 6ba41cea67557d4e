import type pg from 'pg';
import { FILE_FOLDERS, FILE_KINDS, type FileKind, type FileStore } from '#server/ports/file-store.ts';
import type { Checksums } from './manifest.ts';

export interface FileName {
  kind: FileKind;
  name: string;
}

/** Yields the files that interviews use. The client is in a transaction. */
export async function* listFiles(client: pg.Client): AsyncGenerator<FileName> {
  await client.query(
    `DECLARE files NO SCROLL CURSOR FOR
     SELECT DISTINCT 'video' AS kind, video_file AS name FROM interview WHERE video_file IS NOT NULL
     UNION SELECT 'thumbnail', thumbnail_file FROM interview WHERE thumbnail_file IS NOT NULL
     ${(await hasSegments(client)) ? SEGMENT_FILES : ''}`,
  );
  for (;;) {
    const { rows } = await client.query<FileName>('FETCH 500 FROM files');
    if (rows.length === 0) return;
    yield* rows;
  }
}

const SEGMENT_FILES = `UNION SELECT 'video', video_file FROM interview_segment WHERE video_file IS NOT NULL
  UNION SELECT 'thumbnail', thumbnail_file FROM interview_segment WHERE thumbnail_file IS NOT NULL`;

/** False for a database of a release before 0021_sources.sql. */
export async function hasSegments(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query("SELECT to_regclass('interview_segment') IS NOT NULL AS has");
  return rows[0]?.has === true;
}

/** File names by kind. */
export type FileNames = Readonly<Record<FileKind, ReadonlySet<string>>>;

export const filesOfArchive = ({ members }: Checksums): FileNames => {
  const namesIn = (kind: FileKind) => {
    const folder = `files/${FILE_FOLDERS[kind]}/`;
    return new Set(
      Object.keys(members).flatMap((name) => (name.startsWith(folder) ? [name.slice(folder.length)] : [])),
    );
  };
  return { video: namesIn('video'), thumbnail: namesIn('thumbnail') };
};

export async function filesOfStore(store: FileStore): Promise<FileNames> {
  const files = { video: new Set<string>(), thumbnail: new Set<string>() };
  for (const kind of FILE_KINDS) for await (const name of store.list(kind)) files[kind].add(name);
  return files;
}

/** Reads the files that interviews use, in a separate transaction. */
export async function filesOfInterviews(client: pg.Client): Promise<FileNames> {
  const files = { video: new Set<string>(), thumbnail: new Set<string>() };
  await client.query('BEGIN READ ONLY');
  for await (const { kind, name } of listFiles(client)) files[kind].add(name);
  await client.query('COMMIT');
  return files;
}

/** Counts the files that are not among `others`. */
export const countOnlyIn = (files: FileNames, others: FileNames): number =>
  FILE_KINDS.reduce((sum, kind) => sum + files[kind].difference(others[kind]).size, 0);
