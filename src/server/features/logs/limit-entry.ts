import { cutValue } from '#server/events/log-texts.ts';

/** In bytes, for details and metadata together. */
const MAX_CONTENT_BYTES = 256 * 1_024;
/** The part of these bytes that is reserved for `leftOut`. */
const RESERVED_BYTES = 2 * 1_024;
/** A record with more fields is a list by id. */
const MAX_FIELDS = 100;

type Content = Record<string, unknown>;

/**
 * Cuts long values. If the content is larger than 256 KB, it also shortens its lists, and counts
 * the omitted items by list in `details.leftOut`.
 */
export function limitContent(details: object | null, metadata: object | null): (Content | null)[] {
  const content = [details, metadata].map((part) => cutValues(part) as Content | null);
  if (bytesOf(content) <= MAX_CONTENT_BYTES) return content;
  const leftOut: Record<string, number> = {};
  const named = { details: content[0] ?? {}, metadata: content[1] ?? {} };
  const short = shortenFields(named, MAX_CONTENT_BYTES - RESERVED_BYTES, leftOut) as typeof named;
  return [{ ...short.details, leftOut }, content[1] ? short.metadata : null];
}

function cutValues(value: unknown): unknown {
  if (typeof value === 'string') return cutValue(value);
  if (Array.isArray(value)) return value.map(cutValues);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, cutValues(inside)]));
}

/** Gives each field an equal share of the budget, and what the smaller ones leave to the larger. */
function shortenFields(fields: Content, budget: number, leftOut: Record<string, number>): Content {
  const sized = Object.entries(fields).map(([name, value]) => ({ name, value, bytes: bytesOf({ [name]: value }) }));
  sized.sort((a, b) => a.bytes - b.bytes);
  let left = budget;
  const short = new Map<string, unknown>();
  for (const [index, { name, value, bytes }] of sized.entries()) {
    const share = Math.floor(left / (sized.length - index));
    const kept = bytes <= share ? value : shorten(value, { name, budget: share - bytesOf({ [name]: null }), leftOut });
    short.set(name, kept);
    left -= bytes <= share ? bytes : bytesOf({ [name]: kept });
  }
  return Object.fromEntries(Object.keys(fields).map((name) => [name, short.get(name)]));
}

interface ShortenOptions {
  name: string;
  budget: number;
  leftOut: Record<string, number>;
}

function shorten(value: unknown, { name, budget, leftOut }: ShortenOptions): unknown {
  if (!Array.isArray(value) && !isRecord(value)) return value;
  if (!isList(value)) return shortenFields(value as Content, budget, leftOut);
  const items = Object.entries(value);
  let bytes = 2;
  const end = items.findIndex((item) => {
    bytes += bytesOf(item);
    return bytes > budget;
  });
  const kept = end === -1 ? items : items.slice(0, end);
  if (kept.length < items.length) leftOut[name] = (leftOut[name] ?? 0) + items.length - kept.length;
  return Array.isArray(value) ? kept.map(([, item]) => item) : Object.fromEntries(kept);
}

/** An array, or records by id. */
function isList(value: object): boolean {
  if (Array.isArray(value)) return true;
  const items = Object.values(value);
  return items.length > MAX_FIELDS || items.every(isRecord);
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

const isRecord = (value: unknown): value is Content =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
