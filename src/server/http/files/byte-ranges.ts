/** Positions of bytes in a file, both included, as in `Content-Range`. */
export interface ByteRange {
  start: number;
  end: number;
}

export const lengthOf = ({ start, end }: ByteRange): number => end - start + 1;

/**
 * Parses a `Range` header for a file of `size` bytes (RFC 9110, section 14.1.2). Returns `whole`
 * for a missing or malformed header and for several ranges, which a server may ignore (section
 * 14.2). range-parser would answer 416 to a reversed range, which is malformed.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '');
  if (!match) return 'whole';
  const [, first = '', last = ''] = match;
  if (first === '') return last === '' ? 'whole' : suffixRange(Number(last), size);

  const start = Number(first);
  const end = last === '' ? Number.POSITIVE_INFINITY : Number(last);
  // A reversed range is malformed, unlike one that begins after the end of the file.
  if (end < start) return 'whole';
  return start < size ? { start, end: Math.min(end, size - 1) } : 'unsatisfiable';
}

function suffixRange(length: number, size: number): ByteRange | 'unsatisfiable' {
  if (length === 0 || size === 0) return 'unsatisfiable';
  return { start: Math.max(0, size - length), end: size - 1 };
}
