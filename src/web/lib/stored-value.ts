import { useSyncExternalStore } from 'react';
import { parseJson } from '#contracts/rules/parse-json.ts';

/**
 * A value that this browser remembers, as JSON in localStorage. `read` turns what is stored into a
 * value, and returns the default for undefined and for anything that it cannot read.
 */
export function storedValue<Value extends object>(key: string, read: (stored: unknown) => Value) {
  const listeners = new Set<() => void>();
  let last: { text: string | null; value: Value } | null = null;
  /** Returns the same object until the stored text changes. */
  const get = (): Value => {
    const text = localStorage.getItem(key);
    if (last?.text !== text) last = null;
    last ??= { text, value: read(parseJson(text ?? '')) };
    return last.value;
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    get,
    change: (part: Partial<Value>) => {
      localStorage.setItem(key, JSON.stringify({ ...get(), ...part }));
      for (const listener of listeners) listener();
    },
    use: (): Value => useSyncExternalStore(subscribe, get),
  };
}
