import { z } from 'zod';
import { MAX_PAGE, MAX_REPEATED_VALUES, MAX_ROW_ID } from './rules/limits.ts';

/** ISO 8601 with an offset. */
export const Moment = z.iso
  .datetime({ offset: true, error: 'must be a date and time with its offset, such as 2026-03-01T10:00:00Z' })
  .refine((text) => hasPlainYear(new Date(text)), { error: 'must be in the years 1 to 9999' });

/** PostgreSQL and date pickers write other years differently. */
const hasPlainYear = (date: Date) => date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999;

/**
 * A number in a path or query accepts digits only; `Number()` would also accept `1e1`, `0x10`,
 * spaces and an empty text. Callers may pass a number.
 */
const inDigits = <Schema extends z.ZodType>(number: Schema) =>
  z.preprocess(
    (input) => (typeof input !== 'string' ? input : /^[0-9]+$/.test(input) ? Number(input) : Number.NaN),
    number,
  );

/** `rule` is the message for any other value. */
export const integerFrom = (min: number, max: number, rule: string) =>
  z.number(rule).int(rule).min(min, rule).max(max, rule);
const positiveInteger = (max: number, rule: string) => integerFrom(1, max, rule);

/** An id of our tables, in a path or query. */
export const RowId = inDigits(positiveInteger(MAX_ROW_ID, 'must be a positive whole number'));

/** The interview service's id: any text without control characters. */
export const InterviewId = z
  .string()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}+$/u, 'must not contain control characters');

/**
 * Fixed segments of paths where others have an id. `/api/interviews/sync` starts a refresh, so an
 * interview with this id would have no address.
 */
export const RESERVED_IDS: readonly string[] = ['active', 'check', 'positions', 'sync'];

const upTo = (max: number) => positiveInteger(max, `must be a whole number from 1 to ${max}`);

export const PageNumber = inDigits(upTo(MAX_PAGE).default(1));
/** The number of items before the first. */
export const Offset = inDigits(integerFrom(0, MAX_PAGE, `must be a whole number from 0 to ${MAX_PAGE}`));
export const PageSize = inDigits(upTo(100).default(10));

/** A query parameter that may be repeated: `?funnelId=1&funnelId=2`. */
export const repeatable = <Item extends z.ZodType>(item: Item) =>
  z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z
      .array(item)
      .max(MAX_REPEATED_VALUES, `may be repeated at most ${MAX_REPEATED_VALUES.toLocaleString('en-US')} times`)
      .optional(),
  );

/** A response with a message for the user only. */
export const MessageResponse = z.object({ message: z.string() });

/** A hash of a text. A missing text has the hash of an empty one. */
export const TextVersion = z.string().regex(/^[0-9a-f]{64}$/, 'must be the version that came with the text');

export const InterviewPath = z.object({ id: InterviewId });
export const RowPath = z.object({ id: RowId });
