import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { AppError } from '#server/app-error.ts';
import { singleFlight } from '#server/async/single-flight.ts';
import { signedInUser } from './session-guard.ts';

/** `text` is the transcript and the summary of an interview, whose id is `id`. */
export interface Read {
  kind: 'text' | 'video' | 'thumbnail';
  id: string;
}

/** The quota of an account, as this process last read it. */
interface Bucket {
  left: number;
  /** Read since the quota was last settled. */
  spent: number;
  /** A value of `performance.now()`. */
  settledAt: number;
  /** When a refusal was last reported, so that a flood of refused reads costs no queries. */
  refusedAt: number;
  /** Repeated reads are cheap: players request many ranges, and lists are refreshed. */
  known: Set<string>;
}

export interface ReadQuotaOptions {
  /** Also the number that can be read at once after a pause. */
  perHour: number;
  /** Subtracts the reads from the quota that all processes share. Resolves with the rest. */
  settle: (accountId: number, spending: { spent: number; isRefused: boolean }) => Promise<number>;
  /** Receives errors of `settle`. This process then counts the reads until it works again. */
  onError: (error: unknown) => void;
}

const MINOR = 1 / 20;
const MAX_KNOWN = 1_000;
const MAX_ACCOUNTS = 2_000;
const HOUR_MS = 3_600_000;
const SETTLE_INTERVAL_MS = 2_000;
/** A process reads at most this share of the quota before it settles. */
const SETTLE_SHARE = 1 / 100;

/**
 * Limits how many recordings and texts an account reads, so that a stolen session cannot copy
 * everything quickly. A token bucket per account, which all processes share: a first read costs
 * one, a repeated one and a thumbnail a twentieth.
 */
export class ReadQuota {
  readonly #options: ReadQuotaOptions;
  readonly #buckets = new LRUCache<number, Bucket>({ max: MAX_ACCOUNTS });
  readonly #settle = singleFlight(this.#settleNow.bind(this), (accountId) => accountId);

  constructor(options: ReadQuotaOptions) {
    this.#options = options;
  }

  /**
   * Charges the reads of a request. Call it without reads before costly work. A response with many
   * texts may overdraw the quota; requests are then refused until one read is available again.
   * @throws AppError `too_many_requests`
   */
  async spend(request: FastifyRequest, reads: readonly Read[] = []): Promise<void> {
    const { accountId } = signedInUser(request);
    const bucket = this.#bucketOf(accountId);
    if (performance.now() - bucket.settledAt >= SETTLE_INTERVAL_MS) await this.#settle(accountId, bucket);
    if (bucket.left < 1) {
      await this.#reportRefusal(accountId, bucket);
      throw this.#exceeded(bucket.left);
    }
    for (const read of reads) {
      const cost = costOf(read, bucket);
      bucket.left -= cost;
      bucket.spent += cost;
    }
    if (bucket.spent >= this.#options.perHour * SETTLE_SHARE) await this.#settle(accountId, bucket);
  }

  #bucketOf(accountId: number): Bucket {
    const found = this.#buckets.get(accountId);
    if (found) return found;
    const left = this.#options.perHour;
    const never = Number.NEGATIVE_INFINITY;
    const known = new Set<string>();
    const started = { left, spent: 0, settledAt: never, refusedAt: never, known };
    this.#buckets.set(accountId, started);
    return started;
  }

  async #reportRefusal(accountId: number, bucket: Bucket): Promise<void> {
    const now = performance.now();
    if (now - bucket.refusedAt < SETTLE_INTERVAL_MS) return;
    bucket.refusedAt = now;
    await this.#settle(accountId, bucket, true);
  }

  async #settleNow(accountId: number, bucket: Bucket, isRefused = false): Promise<void> {
    const { spent } = bucket;
    bucket.spent = 0;
    bucket.settledAt = performance.now();
    try {
      const left = await this.#options.settle(accountId, { spent, isRefused });
      bucket.left = left - bucket.spent;
    } catch (error) {
      bucket.spent += spent;
      this.#options.onError(error);
    }
  }

  #exceeded(left: number): AppError {
    const retryAfterSeconds = Math.max(1, Math.ceil(((1 - left) * HOUR_MS) / this.#options.perHour / 1_000));
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
