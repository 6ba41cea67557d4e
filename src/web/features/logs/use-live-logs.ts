import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { LogEntry } from '#contracts/logs.ts';
import { live, useLive } from '#web/lib/live.ts';

/** Section 9 of the specification. */
const BANNER_MS = 3_000;
const PAUSE_MS = 500;

/**
 * Subscribes to the channel `system-logs` and refetches the visible page when entries arrive.
 * Returns the newest entry for three seconds, then null.
 */
export function useLiveLogs(): LogEntry | null {
  const queryClient = useQueryClient();
  const [latest, setLatest] = useState<LogEntry | null>(null);
  const [refetch] = useState(() => throttled(() => queryClient.invalidateQueries({ queryKey: ['/api/logs'] })));

  useEffect(() => live.subscribe('system-logs'), []);
  // Entries written between the first read and the subscription are not announced: read again.
  useEffect(() => live.watch(() => live.connected && refetch()), [refetch]);
  useLive((message) => {
    if (message.type !== 'system-log') return;
    setLatest(message.payload);
    refetch();
  });
  useEffect(() => {
    if (!latest) return;
    const timer = setTimeout(() => setLatest(null), BANNER_MS);
    return () => clearTimeout(timer);
  }, [latest]);
  return latest;
}

/**
 * Returns a function that calls `read` immediately. Calls that arrive during a read or the pause
 * after it cause one more read.
 */
function throttled(read: () => Promise<void>): () => void {
  let isRunning = false;
  let isPending = false;
  const run = async () => {
    isRunning = true;
    await read();
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    isRunning = false;
    if (isPending) {
      isPending = false;
      run();
    }
  };
  return () => {
    if (isRunning) isPending = true;
    else run();
  };
}
