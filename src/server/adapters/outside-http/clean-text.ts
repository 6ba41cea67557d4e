import { withoutDirections } from '#contracts/rules/plain-text.ts';

/**
 * Makes a text from outside storable: PostgreSQL rejects NUL and halves of surrogate pairs. Returns
 * null for a blank text, and cuts a longer one to `maxCharacters`. Text that follows it keeps its
 * direction.
 */
export function cleanText(text: string | null | undefined, maxCharacters: number): string | null {
  if (!text) return null;
  const trimmed = withoutDirections(text.replaceAll('\0', '')).trim();
  // Cut first, because a cut may leave half of a pair.
  return trimmed.slice(0, maxCharacters).toWellFormed() || null;
}

/** Matches ids that can be stored unchanged. A changed id would name another object. */
export const STORABLE = /^[^\p{Cc}\p{Cs}]+$/u;

const MAX_URL_LENGTH = 8_192;

/** Returns a normalized http or https URL, else null. */
export function cleanUrl(text: string | null | undefined): string | null {
  if (!text || text.length > MAX_URL_LENGTH) return null;
  const url = URL.parse(text.trim());
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : null;
}

/** Parses ISO 8601, as UTC without a time zone. Null for any other text. */
export function cleanMoment(text: string | null | undefined): Date | null {
  const trimmed = text?.trim() ?? '';
  if (!/^\d{4}-\d{2}-\d{2}/.test(trimmed)) return null;
  const hasZone = /(z|[+-]\d{2}:?\d{2})$/i.test(trimmed) || trimmed.length === 10;
  const date = new Date(hasZone ? trimmed : `${trimmed}Z`);
  const year = date.getUTCFullYear();
  // Other years are mistakes, such as .NET's empty date, and the database rejects them.
  return year >= 1 && year <= 9999 ? date : null;
}
