import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { LogEntry } from '#contracts/logs.ts';
import { listLogs } from '#web/lib/api.ts';
import { live, subscribe, useLive } from '#web/lib/live.ts';

/** Section 9 of the specification. */
const BANNER_MS = 3_000;
const PAUSE_MS = 500;

/**
 * Follows the channel `system-logs`: new entries make the pages stale, and what is in view is read again.
 * Returns the newest entry, for the three seconds that it is news.
 */
export function useLiveLogs(): LogEntry | null {
  const client = useQueryClient();
  const [latest, setLatest] = useState<LogEntry | null>(null);
  const [read] = useState(() => paced(() => client.invalidateQueries({ queryKey: [listLogs.path] })));

  useEffect(() => subscribe('system-logs'), []);
  // What was written between the first read and the subscription is announced to nobody.
  useEffect(() => live.watchConnected((connected) => connected && read()), [read]);
  useLive((message) => {
    if (message.type !== 'system-log') return;
    setLatest(message.payload);
    read();
  });
  useEffect(() => {
    if (!latest) return;
    const timer = setTimeout(() => setLatest(null), BANNER_MS);
    return () => clearTimeout(timer);
  }, [latest]);
  return latest;
}

/** Runs `work` at once. However often it is called while that runs and for half a second after, `work` runs once more then. */
function paced(work: () => Promise<void>): () => void {
  let busy = false;
  let again = false;
  const run = async () => {
    busy = true;
    await work();
    await new Promise((paused) => setTimeout(paused, PAUSE_MS));
    busy = false;
    if (again) {
      again = false;
      run();
    }
  };
  return () => {
    if (busy) again = true;
    else run();
  };
}
