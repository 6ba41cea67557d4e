import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { cleanText } from '#server/adapters/outside-http/clean-text.ts';

/** The limits of `Ats.searchJobs` and `Ats.findCandidates`. */
export const MAX_JOBS = 20;
export const MAX_CANDIDATES = 10;

const MAX_NAME_LENGTH = 500;
/** Empty if it is missing. */
export const name = z
  .string()
  .nullish()
  .transform((text) => cleanText(text, MAX_NAME_LENGTH) ?? '');

/** A cache of responses from the last ten minutes. */
export const newCache = <Value extends object>() => new LRUCache<string, Value>({ max: 2_000, ttl: 10 * 60_000 });
