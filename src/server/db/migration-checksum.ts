import { createHash } from 'node:crypto';
import formerChecksums from './former-checksums.json' with { type: 'json' };

/** Quoted text, which may contain `--`, or comments and white space. */
const QUOTED_OR_COMMENTS = /('(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\2\$)|(?:--.*|\s)+/g;
/** Keyed by the SHA-256 of SQL with its comments, as releases up to 2026.11.1 stored it. */
const WITHOUT_COMMENTS: Readonly<Record<string, string>> = formerChecksums;

/** The SHA-256 of a migration without comments, line ends and indents, which may change. */
export function checksumOf(sql: string): string {
  const statements = sql.replace(QUOTED_OR_COMMENTS, (_, quoted?: string) => quoted ?? ' ').trim();
  return createHash('sha256').update(statements).digest('hex');
}

/** Whether a database that stored `recorded` applied a migration with this checksum. */
export const isSameChecksum = (recorded: string, current: string): boolean =>
  (WITHOUT_COMMENTS[recorded] ?? recorded) === current;
