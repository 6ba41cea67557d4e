import { AppError } from '#server/app-error.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { KeyedHash } from '#server/features/session/sessions/session-token.ts';
import { siteOf } from '#server/networks.ts';
import type { FailureCount } from './sign-in-failure.repo.ts';
import * as repo from './sign-in-failure.repo.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

interface Limit {
  /** This many failures cause no wait. */
  free: number;
  /** The wait after them. Each further failure doubles it. */
  firstWaitMs: number;
  maxWaitMs: number;
}

/**
 * How long failures delay the next attempt:
 * - `pair`, one name from one address: guessing a password.
 * - `address`, any name from one address: trying names. More are free, since an office may share
 *   one address.
 * - `site`, any name from one IPv6 /48: changing to another of its 65,536 /64 networks.
 * - `name`, one name from any address: guessing from many machines. The wait stays short, because
 *   the owner may be among them.
 *
 * From an address where a name has signed in before, only `pair` counts for that name. Strangers,
 * and colleagues who mistype, therefore never delay users at their usual place.
 */
const LIMITS = {
  pair: { free: 5, firstWaitMs: 15 * SECOND_MS, maxWaitMs: 15 * MINUTE_MS },
  address: { free: 20, firstWaitMs: 15 * SECOND_MS, maxWaitMs: 15 * MINUTE_MS },
  site: { free: 50, firstWaitMs: 15 * SECOND_MS, maxWaitMs: 15 * MINUTE_MS },
  name: { free: 50, firstWaitMs: 5 * SECOND_MS, maxWaitMs: MINUTE_MS },
} satisfies Record<string, Limit>;
type Kind = keyof typeof LIMITS;
type CountedKeys = { pair: string } & Partial<Record<Kind, string>>;

/** Failures are deleted after a day without another one. */
const FAILURES_KEPT_MS = DAY_MS;
/** An address remains a usual place for this long after a sign-in. */
const USUAL_PLACE_MS = 90 * DAY_MS;

/** Returns how long the next attempt waits after this many failures. */
export function waitAfter(kind: Kind, failures: number): number {
  const { free, firstWaitMs, maxWaitMs }: Limit = LIMITS[kind];
  return failures < free ? 0 : Math.min(maxWaitMs, firstWaitMs * 2 ** (failures - free));
}

export interface Attempt {
  /** Identifies the account, or holds the name as typed when no account has it. */
  name: string;
  address: string;
}

/** Sign-ins and re-authentications of an account share their counts. */
export const accountAttempt = (accountId: number, address: string): Attempt => ({
  name: `account ${accountId}`,
  address,
});

/**
 * Slows down the guessing of passwords. The counts are in the database, so they survive a restart
 * and all processes share them. Names and addresses are stored as keyed hashes, because people
 * type passwords into the wrong field.
 */
export class SignInThrottle {
  readonly #db: Database;
  readonly #hash: KeyedHash;
  readonly #clock: () => number;

  constructor(db: Database, hash: KeyedHash, clock: () => number) {
    this.#db = db;
    this.#hash = hash;
    this.#clock = clock;
  }

  /**
   * Refuses an attempt that has to wait, with one read and without counting it. Returns whether
   * the name has signed in from this address before.
   * @throws AppError `too_many_requests` with the seconds to wait
   */
  async checkWait(attempt: Attempt): Promise<{ isUsualPlace: boolean }> {
    const { usualPlace, counted } = this.#keys(attempt);
    const counts = await repo.findFailureCounts(this.#db, [usualPlace, ...Object.values(counted)]);
    const isUsualPlace = counts.has(usualPlace);
    const relevant = isUsualPlace ? [counts.get(counted.pair)] : [...counts.values()];
    refuseWhileBlocked(relevant, this.#clock());
    return { isUsualPlace };
  }

  /**
   * Counts an attempt as failed before it is made, so that a thousand concurrent attempts cannot
   * all precede the first stored failure. Returns the wait in milliseconds after this attempt if
   * it fails.
   * @throws AppError `too_many_requests` with the seconds to wait. Such an attempt is not
   * counted.
   */
  async beginAttempt(attempt: Attempt): Promise<number> {
    return await this.#db.transaction().execute(async (tx) => {
      const now = this.#clock();
      const keys = Object.entries(await this.#countedKeys(tx, attempt)) as [Kind, string][];
      const locked = await repo.lockFailureCounts(
        tx,
        keys.map(([, key]) => key),
        now,
      );
      refuseWhileBlocked([...locked.values()], now);
      const counts = keys.map(([kind, key]) => countFailure(kind, locked.get(key), key, now));
      await repo.upsertFailureCounts(tx, counts);
      return Math.max(...counts.map(({ blocked_until }) => (blocked_until?.getTime() ?? now) - now));
    });
  }

  /** The last attempt did not fail, but has not signed in either. Earlier failures still count. */
  async withdrawAttempt(tx: Executor, attempt: Attempt): Promise<void> {
    for (const key of Object.values(await this.#countedKeys(tx, attempt))) await repo.decrementFailures(tx, key);
  }

  /**
   * Deletes the failures of the pair, uncounts this attempt elsewhere, and makes the address a
   * usual place.
   */
  async recordSuccess(tx: Executor, attempt: Attempt): Promise<void> {
    const { pair, ...shared } = await this.#countedKeys(tx, attempt);
    await repo.deleteFailureCount(tx, pair);
    for (const key of Object.values(shared)) await repo.decrementFailures(tx, key);
    const { usualPlace } = this.#keys(attempt);
    const updated_at = new Date(this.#clock());
    await repo.upsertFailureCounts(tx, [{ key: usualPlace, failures: 0, blocked_until: null, updated_at }]);
  }

  async deleteOldFailures(): Promise<void> {
    const now = this.#clock();
    await repo.deleteOldFailureCounts(this.#db, now - FAILURES_KEPT_MS, now - USUAL_PLACE_MS);
  }

  /** The order prevents deadlocks: every transaction locks pair, address, site, name. */
  async #countedKeys(db: Executor, attempt: Attempt): Promise<CountedKeys> {
    const { usualPlace, counted } = this.#keys(attempt);
    return (await repo.findFailureCounts(db, [usualPlace])).has(usualPlace) ? { pair: counted.pair } : counted;
  }

  #keys({ name, address }: Attempt): { usualPlace: string; counted: CountedKeys } {
    const site = siteOf(address);
    return {
      usualPlace: this.#key('usual-place', name, address),
      counted: {
        pair: this.#key('pair', name, address),
        address: this.#key('address', address),
        ...(site !== address && { site: this.#key('site', site) }),
        name: this.#key('name', name),
      },
    };
  }

  #key(kind: string, ...parts: string[]): string {
    return `${kind}:${this.#hash(JSON.stringify([kind, ...parts]))}`;
  }
}

function refuseWhileBlocked(counts: (FailureCount | undefined)[], now: number): void {
  const until = Math.max(...counts.map((count) => count?.blocked_until?.getTime() ?? 0));
  if (until <= now) return;
  const retryAfterSeconds = Math.ceil((until - now) / SECOND_MS);
  const message = `Too many failed sign-ins. Try again in ${formatWait(retryAfterSeconds)}.`;
  throw new AppError('too_many_requests', message, { retryAfterSeconds });
}

function countFailure(kind: Kind, count: FailureCount | undefined, key: string, now: number): FailureCount {
  const earlier = count && count.updated_at.getTime() >= now - FAILURES_KEPT_MS ? count.failures : 0;
  const failures = earlier + 1;
  const waitMs = waitAfter(kind, failures);
  return { key, failures, blocked_until: waitMs === 0 ? null : new Date(now + waitMs), updated_at: new Date(now) };
}

/** `15 seconds`, `8 minutes`. */
export const formatWait = (seconds: number): string => {
  if (seconds <= 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
};
