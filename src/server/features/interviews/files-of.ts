import type { Selectable } from 'kysely';
import type { DB } from '../../db/tables.ts';
import type { FileKind } from '../../ports/file-store.ts';
import { fileName } from './file-names.ts';

export type FileColumns = Pick<
  Selectable<DB['interview']>,
  'id' | 'video_url' | 'video_file' | 'thumbnail_url' | 'thumbnail_file'
>;

/** The files of an interview: those that it names, and those that its addresses stand for, which a download may just be writing. */
export function filesOf(interview: FileColumns): { kind: FileKind; name: string }[] {
  const kinds = [
    { kind: 'video', url: interview.video_url, named: interview.video_file },
    { kind: 'thumbnail', url: interview.thumbnail_url, named: interview.thumbnail_file },
  ] as const;
  return kinds.flatMap(({ kind, url, named }) => {
    const meant = url === null ? null : fileName(kind, interview.id, url);
    return [...new Set([named, meant])].flatMap((name) => (name === null ? [] : [{ kind, name }]));
  });
}
