import { useEffect, useState } from 'react';

/** Returns the value as it was when typing last paused. */
export function useSettled<Value>(value: Value, delayMs = 200): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}
