import { AppError } from '../../app-error.ts';
import type { Database, Executor } from '../../db/database.ts';
import type { KeyedHash } from './session-token.ts';
import {
  deleteKey,
  deleteOldKeys,
  type FailureCount,
  hasKey,
  holdCounts,
  saveCounts,
  takeBack,
} from './sign-in-failure.repo.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

interface Limit {
  /** Failures that cost nothing but the next try. */
  free: number;
  /** The wait after them; each further failure doubles it. */
  firstWaitMs: number;
  longestWaitMs: number;
}

/**
 * How long failures hold up the next try, by what they have in common:
 * - `pair`, one name from one address: somebody guesses a password.
 * - `address`, any name from one address: somebody tries names. More are free, since an office may share one address.
 * - `name`, one name from any address: somebody guesses from many machines. The wait stays short, since its owner may be among them.
 *
 * From an address where a name has signed in before, only the pair counts for it: strangers elsewhere, and colleagues who mistype, never
 * hold up somebody at their usual place.
 */
const LIMITS = {
  pair: { free: 5, firstWaitMs: 15 * SECOND_MS, longestWaitMs: 15 * MINUTE_MS },
  address: { free: 20, firstWaitMs: 15 * SECOND_MS, longestWaitMs: 15 * MINUTE_MS },
  name: { free: 50, firstWaitMs: 5 * SECOND_MS, longestWaitMs: MINUTE_MS },
} satisfies Record<string, Limit>;
type Kind = keyof typeof LIMITS;

/** Failures are forgotten after a day without another. */
const FAILURES_KEPT_MS = DAY_MS;
/** An address stays a usual place this long after a sign-in. */
const USUAL_PLACE_MS = 90 * DAY_MS;

/** How long the next try waits after that many failures: 0 while they are free. */
export function waitAfter(kind: Kind, failures: number): number {
  const { free, firstWaitMs, longestWaitMs }: Limit = LIMITS[kind];
  return failures < free ? 0 : Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - free));
}

/** Who tries to sign in, from where. */
export interface Attempt {
  /** The account's id, or the name as typed where there is none. */
  name: string;
  address: string;
}

/**
 * Slows down the guessing of passwords. Its counts live in the database, so a restart forgets nothing and all processes count together.
 * Names and addresses are stored as keyed hashes: people type passwords into the wrong field.
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
   * Counts a try as failed before it is made: a thousand tries at the same moment cannot all come before the first failure is written.
   * Resolves with the milliseconds that the next one waits, should this one fail.
   * @throws AppError `too_many_requests` with the seconds to wait; such a try counts for nothing
   */
  async begin(attempt: Attempt): Promise<number> {
    return await this.#db.transaction().execute(async (tx) => {
      const now = this.#clock();
      const limits = Object.entries(await this.#countedKeys(tx, attempt)) as [Kind, string][];
      const held = await holdCounts(
        tx,
        limits.map(([, key]) => key),
        now,
      );
      refuseWhileBlocked([...held.values()], now);
      const counts = limits.map(([kind, key]) => oneMore(kind, held.get(key), key, now));
      await saveCounts(tx, counts);
      return Math.max(...counts.map(({ blockedUntil }) => (blockedUntil ?? now) - now));
    });
  }

  /** The try begun last was right as far as it went: nothing is counted of it, and what failed before stays. */
  async withdraw(tx: Executor, attempt: Attempt): Promise<void> {
    for (const key of Object.values(await this.#countedKeys(tx, attempt))) await takeBack(tx, key);
  }

  /** The try begun last was right: the pair starts anew, the other counts lose what it added, and the address is a usual place from now on. */
  async succeed(tx: Executor, attempt: Attempt): Promise<void> {
    const { pair, ...shared } = await this.#countedKeys(tx, attempt);
    await deleteKey(tx, pair);
    for (const key of Object.values(shared)) await takeBack(tx, key);
    const usualPlace = this.#key('usual-place', attempt.name, attempt.address);
    await saveCounts(tx, [{ key: usualPlace, failures: 0, blockedUntil: null, updatedAt: this.#clock() }]);
  }

  async sweep(): Promise<void> {
    const now = this.#clock();
    await deleteOldKeys(this.#db, now - FAILURES_KEPT_MS, now - USUAL_PLACE_MS);
  }

  /** The order matters: every transaction locks pair, address, name. */
  async #countedKeys(
    db: Executor,
    { name, address }: Attempt,
  ): Promise<{ pair: string } & Partial<Record<Kind, string>>> {
    const pair = this.#key('pair', name, address);
    if (await hasKey(db, this.#key('usual-place', name, address))) return { pair };
    return { pair, address: this.#key('address', address), name: this.#key('name', name) };
  }

  #key(kind: string, ...parts: string[]): string {
    return `${kind}:${this.#hash(JSON.stringify([kind, ...parts]))}`;
  }
}

function refuseWhileBlocked(counts: FailureCount[], now: number): void {
  const until = Math.max(...counts.map((count) => count.blockedUntil ?? 0));
  if (until <= now) return;
  const retryAfterSeconds = Math.ceil((until - now) / SECOND_MS);
  throw new AppError(
    'too_many_requests',
    `Too many failed sign-ins. Please try again in ${inWords(retryAfterSeconds)}.`,
    {
      retryAfterSeconds,
    },
  );
}

function oneMore(kind: Kind, count: FailureCount | undefined, key: string, now: number): FailureCount {
  const forgotten = !count || count.updatedAt < now - FAILURES_KEPT_MS;
  const failures = (forgotten ? 0 : count.failures) + 1;
  const waitMs = waitAfter(kind, failures);
  return { key, failures, blockedUntil: waitMs === 0 ? null : now + waitMs, updatedAt: now };
}

/** `15 seconds`, `8 minutes`. */
export const inWords = (seconds: number): string => {
  if (seconds <= 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
};
