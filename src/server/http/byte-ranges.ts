/** Bytes of a file, both ends included, as in `Content-Range`. */
export interface ByteRange {
  start: number;
  end: number;
}

export const lengthOf = ({ start, end }: ByteRange): number => end - start + 1;

/**
 * Reads a `Range` header against a file of `size` bytes (RFC 9110, section 14.1.2). `whole` when there is none, when it is not
 * understood, or when it asks for several ranges: all of these a server may ignore (section 14.2).
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '');
  if (!match) return 'whole';
  const [, first = '', last = ''] = match;
  if (first === '') return last === '' ? 'whole' : suffix(Number(last), size);

  const start = Number(first);
  const end = last === '' ? Number.POSITIVE_INFINITY : Number(last);
  // Backwards is not a range at all, unlike one that begins behind the end.
  if (end < start) return 'whole';
  return start < size ? { start, end: Math.min(end, size - 1) } : 'unsatisfiable';
}

/** The last `length` bytes; all of them when the file is shorter. */
function suffix(length: number, size: number): ByteRange | 'unsatisfiable' {
  if (length === 0 || size === 0) return 'unsatisfiable';
  return { start: Math.max(0, size - length), end: size - 1 };
}
