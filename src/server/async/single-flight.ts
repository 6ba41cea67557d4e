/**
 * Concurrency of asynchronous functions within one process. Use these instead of a hand-made
 * `running` flag or shared promise:
 *
 * - `singleFlight`: concurrent callers share one run.
 * - `loadOnce`: the result is kept; only a failure is retried.
 * - `coalesce`: callers during a run share one more run after it.
 * - `batch`: like `coalesce`, and the run receives what its callers passed.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Callers that arrive while a run is in progress share its result, also a failure. With `keyOf`,
 * only callers with equal keys share a run.
 */
export function singleFlight<Args extends unknown[], Result>(
  run: (...args: Args) => Promise<Result>,
  keyOf: (...args: Args) => unknown = () => null,
): (...args: Args) => Promise<Result> {
  const runs = new Map<unknown, Promise<Result>>();
  return (...args) => {
    const key = keyOf(...args);
    const current = runs.get(key);
    if (current) return current;
    const started = run(...args).finally(() => runs.delete(key));
    runs.set(key, started);
    return started;
  };
}

/** Loads at the first call and keeps the result. After a failure the next call loads again. */
export function loadOnce<Result>(load: () => Promise<Result>): () => Promise<Result> {
  let loading: Promise<Result> | null = null;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
}

/**
 * Runs never overlap. A call returns the result of a run that begins after the call: callers during
 * a run share the next one, so a hundred calls cost at most two runs.
 */
export const coalesce = <Result>(run: () => Promise<Result>): (() => Promise<Result>) => {
  const call = batch<null, Result>(() => run());
  return () => call(null);
};

/**
 * Runs never overlap. Items that arrive during a run, or up to `gatherMs` before one, make up the
 * next run; all their callers receive its result or failure.
 */
export function batch<Item, Result>(
  run: (items: readonly Item[]) => Promise<Result>,
  { gatherMs = 0 }: { gatherMs?: number } = {},
): (item: Item) => Promise<Result> {
  let items: Item[] = [];
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<Result> | null = null;

  const runAfter = async (previous: Promise<unknown>): Promise<Result> => {
    await previous.catch(() => {});
    if (gatherMs > 0) await sleep(gatherMs);
    const gathered = items;
    items = [];
    if (next) current = next;
    next = null;
    return run(gathered);
  };
  return (item) => {
    items.push(item);
    next ??= runAfter(current);
    return next;
  };
}
