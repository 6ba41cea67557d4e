/**
 * A text from outside as it may be stored: PostgreSQL refuses NUL and halves of surrogate pairs. Blank is null, what is longer than
 * `most` characters is cut.
 */
export function cleanText(text: string | null | undefined, most: number): string | null {
  if (!text) return null;
  const trimmed = text.replaceAll('\0', '').trim();
  // Cut first: a cut in the middle of a pair would leave half of it.
  return trimmed.slice(0, most).toWellFormed() || null;
}

const LONGEST_URL = 8_192;

/** An address that a browser or our downloader may open, or null: nothing but http and https. */
export function cleanUrl(text: string | null | undefined): string | null {
  if (!text || text.length > LONGEST_URL) return null;
  const url = URL.parse(text.trim());
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : null;
}

/** A moment in ISO 8601, or null when it is none. Without a zone it counts as UTC, wherever this server stands. */
export function cleanMoment(text: string | null | undefined): Date | null {
  const given = text?.trim() ?? '';
  if (!/^\d{4}-\d{2}-\d{2}/.test(given)) return null;
  const hasZone = /(z|[+-]\d{2}:?\d{2})$/i.test(given) || given.length === 10;
  const date = new Date(hasZone ? given : `${given}Z`);
  const year = date.getUTCFullYear();
  // Others are mistakes, .NET's empty date among them, and the database takes none of them.
  return year >= 1 && year <= 9999 ? date : null;
}
