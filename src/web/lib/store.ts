import { useSyncExternalStore } from 'react';

const resets = new Set<() => void>();

/** A value that components share, for as long as the page is open. */
export function createStore<Value>(initial: Value) {
  let value = initial;
  const listeners = new Set<() => void>();
  const get = (): Value => value;
  const set = (next: Value): void => {
    if (Object.is(next, value)) return;
    value = next;
    for (const listener of listeners) listener();
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  resets.add(() => set(initial));
  return {
    get,
    set,
    /** The value, or a part of it that is equal for equal values. */
    use: <Part = Value>(pick: (value: Value) => Part = (all) => all as unknown as Part): Part =>
      useSyncExternalStore(subscribe, () => pick(value)),
  };
}

/** Gives all stores their first value, as a reload of the page does. */
export const resetStores = (): void => {
  for (const reset of resets) reset();
};
