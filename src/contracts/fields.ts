import { z } from 'zod';
import { LARGEST_ROW_ID, LAST_PAGE, MOST_REPEATED } from './rules/limits.ts';

/** A moment as ISO 8601 text with an offset, as it travels over the wire. */
export const Moment = z.iso
  .datetime({ offset: true, error: 'must be a date and time with its offset, such as 2026-03-01T10:00:00Z' })
  .refine((text) => hasPlainYear(new Date(text)), { error: 'must be in the years 1 to 9999' });

/** What a date picker, a person and PostgreSQL agree on. */
const hasPlainYear = (date: Date) => date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999;

/**
 * A number in a path or a query: the digits 0 to 9 and nothing else, where `Number()` would also read `1e1`, `0x10`, ` 3 ` and nothing at
 * all. Whoever calls with a number may.
 */
const inDigits = <Schema extends z.ZodType>(number: Schema) =>
  z.preprocess(
    (given) => (typeof given !== 'string' ? given : /^[0-9]+$/.test(given) ? Number(given) : Number.NaN),
    number,
  );

/** From 1 to `most`. Whatever is wrong with another value, `rule` says what would be right. */
const positiveInteger = (most: number, rule: string) => z.number(rule).int(rule).min(1, rule).max(most, rule);

/** An id of our own tables, as it stands in a path or a query. */
export const RowId = inDigits(positiveInteger(LARGEST_ROW_ID, 'must be a positive whole number'));

/** An interview's id: the external service's own, any text without control characters. */
export const InterviewId = z
  .string()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}+$/u, 'must not contain control characters');

const upTo = (most: number) => positiveInteger(most, `must be a whole number from 1 to ${most}`);

/** Page numbers start at 1. */
export const PageNumber = inDigits(upTo(LAST_PAGE).default(1));
export const PageSize = inDigits(upTo(100).default(10));

/** A query parameter that may be repeated: `?funnelId=1&funnelId=2`. */
export const repeatable = <Item extends z.ZodType>(item: Item) =>
  z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z
      .array(item)
      // Not before somebody repeats that much: the first number that is formatted loads every rule of languages, a twentieth of a start.
      .max(MOST_REPEATED, { error: () => `may be repeated at most ${MOST_REPEATED.toLocaleString('en-US')} times` })
      .optional(),
  );

/** Answers that carry only a sentence for the person. */
export const MessageAnswer = z.object({ message: z.string() });

/** Says which text this is: equal for equal texts, and for none at all. */
export const TextVersion = z.string().regex(/^[0-9a-f]{64}$/, 'must be the version that came with the text');

/** A path with an interview's id. */
export const InterviewPath = z.object({ id: InterviewId });
/** A path with one of our own ids. */
export const RowPath = z.object({ id: RowId });
