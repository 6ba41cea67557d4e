import { type RawBuilder, sql } from 'kysely';

/** Which text a column of `interview_text` holds, also when it holds none: the SHA-256 of it, in hexadecimal digits. */
export const versionOf = (column: 'transcription_text' | 'summary_text'): RawBuilder<string> =>
  sql<string>`encode(sha256(convert_to(coalesce(${sql.ref(`interview_text.${column}`)}, ''), 'UTF8')), 'hex')`;
