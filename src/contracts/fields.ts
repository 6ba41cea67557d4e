import { z } from 'zod';
import { MAX_DURATION_SECONDS, MAX_PAGE, MAX_REPEATED_VALUES, MAX_ROW_ID } from './rules/limits.ts';

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

/** An id of our tables, in a path or query. */
export const RowId = inDigits(integerFrom(1, MAX_ROW_ID, 'must be a positive whole number'));

/** Ids of our tables, in a body. */
export const rowIds = (max: number, rule: string) =>
  z.array(integerFrom(1, MAX_ROW_ID, rule), rule).max(max, `may have at most ${max.toLocaleString('en-US')} entries`);

/** The interview service's id: any text without control characters. */
export const InterviewId = z
  .string()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}+$/u, 'must not contain control characters');

/**
 * Fixed segments of paths where others have an id. `/api/interviews/sync` starts a refresh, so an
 * interview with this id would have no URL.
 */
export const RESERVED_IDS: readonly string[] = ['active', 'check', 'positions', 'sync'];

const upTo = (max: number) => integerFrom(1, max, `must be a whole number from 1 to ${max}`);

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

/** A required name or title. */
export const visibleLine = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'is required')
    .max(max, `may have at most ${max} characters`)
    .regex(/^\P{C}+$/u, 'may contain visible characters only');

/** An empty text means no address. */
export const OptionalEmail = z
  .string()
  .trim()
  .max(254)
  .regex(/^([^\s@\p{C}]+@[^\s@\p{C}]+)?$/u, 'must be an email address, such as ann@example.com');

const SECONDS_RULE = `must be a number of seconds from 0 to ${MAX_DURATION_SECONDS}`;
/** A moment of a recording. */
export const Seconds = z.number(SECONDS_RULE).min(0, SECONDS_RULE).max(MAX_DURATION_SECONDS, SECONDS_RULE);

/** A response with a message for the user only. */
export const MessageResponse = z.object({ message: z.string() });

/** A hash of a text. A missing text has the hash of an empty one. */
export const TextVersion = z.string().regex(/^[0-9a-f]{64}$/, 'must be the version that came with the text');

export const InterviewPath = z.object({ id: InterviewId });
export const RowPath = z.object({ id: RowId });
/** Any text: an invalid token is treated as unknown. */
export const TokenPath = z.object({ token: z.string().max(200) });
