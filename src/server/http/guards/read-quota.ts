import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { AppError } from '#server/app-error.ts';
import { readToken } from './session-cookie.ts';

/** `text` is the transcript and the summary of an interview, whose id is `id`. */
export interface Read {
  kind: 'text' | 'video' | 'thumbnail';
  id: string;
}

interface Bucket {
  reads: number;
  /** When `reads` was last refilled, in milliseconds of the epoch. */
  at: number;
  /** Repeated reads are cheap: players request many ranges, and lists are refreshed. */
  known: Set<string>;
  isReported: boolean;
}

export interface ReadQuotaOptions {
  /** Also the number that can be read at once after a pause. */
  perHour: number;
  /** Called once, until half of the quota is available again. */
  onExceeded?: () => void;
  now?: () => number;
}

const MINOR = 1 / 20;
const MAX_KNOWN = 1_000;
const MAX_SESSIONS = 2_000;
const HOUR_MS = 3_600_000;

/**
 * Limits how many recordings and texts a session reads, so that a stolen one cannot copy everything
 * quickly. A token bucket per session, in this process: a first read costs one, a repeated one and
 * a thumbnail a twentieth.
 */
export class ReadQuota {
  readonly #options: Required<ReadQuotaOptions>;
  readonly #buckets = new LRUCache<string, Bucket>({ max: MAX_SESSIONS });

  constructor({ perHour, onExceeded = () => {}, now = Date.now }: ReadQuotaOptions) {
    this.#options = { perHour, onExceeded, now };
  }

  /**
   * Charges what the request reads. Call it without reads before costly work. An answer with many
   * texts may overdraw the quota; requests are then refused until one read is available again.
   * @throws AppError `too_many_requests`
   */
  spend(request: FastifyRequest, reads: readonly Read[] = []): void {
    const bucket = this.#bucketOf(readToken(request) ?? '');
    if (bucket.reads < 1) {
      if (!bucket.isReported) this.#options.onExceeded();
      bucket.isReported = true;
      throw this.#exceeded(bucket);
    }
    for (const read of reads) bucket.reads -= costOf(read, bucket);
  }

  #bucketOf(token: string): Bucket {
    const { perHour, now } = this.#options;
    const at = now();
    const found = this.#buckets.get(token);
    if (!found) {
      const full = { reads: perHour, at, known: new Set<string>(), isReported: false };
      this.#buckets.set(token, full);
      return full;
    }
    found.reads = Math.min(perHour, found.reads + ((at - found.at) * perHour) / HOUR_MS);
    found.at = at;
    if (found.reads > perHour / 2) found.isReported = false;
    return found;
  }

  #exceeded({ reads }: Bucket): AppError {
    const retryAfterSeconds = Math.ceil(((1 - reads) * HOUR_MS) / this.#options.perHour / 1_000);
    const wait =
      retryAfterSeconds < 120 ? `${retryAfterSeconds} seconds` : `${Math.ceil(retryAfterSeconds / 60)} minutes`;
    return new AppError('too_many_requests', `You have opened too many recordings and texts. Try again in ${wait}.`, {
      retryAfterSeconds,
    });
  }
}

function costOf({ kind, id }: Read, { known }: Bucket): number {
  if (kind === 'thumbnail') return MINOR;
  const key = `${kind} ${id}`;
  if (known.has(key)) return MINOR;
  known.add(key);
  if (known.size > MAX_KNOWN) known.delete(known.values().next().value as string);
  return 1;
}
