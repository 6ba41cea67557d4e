import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { navigate } from 'wouter/use-browser-location';
import type { BulkAction, BulkRun } from '#contracts/bulk.ts';
import { reloadInterviews } from '#web/features/interviews/interviews-cache.ts';
import { userQuery } from '#web/features/session/session.ts';
import { afterResponses } from '#web/lib/after-responses.ts';
import { ApiError } from '#web/lib/api-error.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatNumber } from '#web/lib/format.ts';
import { useLive } from '#web/lib/live.ts';
import { logError } from '#web/lib/log.ts';
import { createStore } from '#web/lib/store.ts';
import { storedValue } from '#web/lib/stored-value.ts';
import { toast, toastNews } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';

export const ACTION_LABELS: Record<BulkAction, string> = {
  convert: 'Convert',
  transcribe: 'Transcribe',
  summarize: 'Summarize',
  process: 'Process',
  retry: 'Retry',
  setDestination: 'Set Destination',
  undoDestination: 'Undo Set Destination',
  sendToAts: 'Send to ATS',
  archive: 'Archive',
  unarchive: 'Unarchive',
};

/** The run that the bar shows, even after a reload and in other tabs. */
const shown = storedValue('bulk-run', (stored) => {
  const { id } = Object(stored) as { id?: unknown };
  return { id: typeof id === 'number' ? id : null };
});

/** Runs that `showBulkRun` has shown since the page was loaded. */
const started = createStore<ReadonlySet<number>>(new Set());

export function showBulkRun(id: number): void {
  started.set(new Set([...started.get(), id]));
  shown.change({ id });
}
export const hideBulkRun = () => shown.change({ id: null });
export const useShownBulkRunId = () => shown.use().id;

const POLLING_MS = 2_000;

export const bulkRunQuery = (id: number) => ({
  ...endpointQuery('/api/bulk/:id', { params: { id } }),
  staleTime: 0,
  retry: false,
});

/** Polled while it runs and patched by live messages. */
export function useBulkRun(id: number) {
  const { data, error } = useQuery({
    ...bulkRunQuery(id),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? POLLING_MS : false),
  });
  useEffect(() => {
    // The run was deleted in the meantime. Other failures may be transient.
    if (error instanceof ApiError && error.status === 404) hideBulkRun();
  }, [error]);
  return data ?? null;
}

/** `8 of 10 done` */
export const doneOf = ({ done, total }: BulkRun): string => `${formatNumber(done)} of ${formatNumber(total)} done`;

/** Shows only interviews with a failed step. */
export const showFailed = () => navigate('/?status=error');
export const BULK_REPORT = 'bulk-report';

/** Opens the report. It belongs to the bar, which may show another run and so changes first. */
function showReport(id: number): void {
  showBulkRun(id);
  navigate(`/?dialog=${BULK_REPORT}&id=${id}`);
}

/** The action that undoes an edit. */
const UNDO: Partial<Record<BulkAction, BulkAction>> = {
  archive: 'unarchive',
  unarchive: 'archive',
  setDestination: 'undoDestination',
};

export const canUndo = (run: BulkRun): boolean => UNDO[run.action] !== undefined && run.done > 0;

/** Starts a run that undoes another one. */
export function useUndoBulk() {
  const { mutate, isPending } = useAction('POST /api/bulk', {
    onSuccess: (run) => showBulkRun(run.id),
    onError: ({ message }) => toast({ title: 'Undo Failed', description: message, variant: 'destructive' }),
  });
  const undo = ({ id, action }: BulkRun) => mutate({ body: { action: UNDO[action] ?? action, target: { run: id } } });
  return { undo, isPending };
}

/** Reads the reasons, which live messages do not have, and the texts, which few pages need. */
async function announceEnd(run: BulkRun, undo: (run: BulkRun) => void, queryClient: QueryClient): Promise<void> {
  const hasShortfall = run.failed + run.skipped > 0;
  if (!hasShortfall && shown.get().id === run.id) hideBulkRun();
  const [{ describeEnd }, report] = await Promise.all([
    import('./bulk-outcome.ts'),
    hasShortfall ? queryClient.fetchQuery(bulkRunQuery(run.id)).catch(() => null) : null,
  ]);
  const show = { label: 'Show', onClick: () => (run.failed > 0 ? showFailed() : showReport(run.id)) };
  toastNews({
    ...describeEnd({ ...report, ...run }),
    ...(hasShortfall && { action: show }),
    ...(canUndo(run) && { action: { label: 'Undo', onClick: () => undo(run) }, duration: 10_000 }),
  });
}

/**
 * True for a message that follows the end of the run. The response to a call may show the end
 * before its message arrives, which is then the first one of a run that was started here.
 */
const isOld = (run: BulkRun, known: BulkRun | null | undefined): boolean =>
  (known?.status ?? 'running') !== 'running' && (run.status === 'running' || !started.get().has(run.id));

/** Updates the bar, and announces the end of this user's runs on every page. */
export function useBulkMessages(): void {
  const queryClient = useQueryClient();
  const { undo } = useUndoBulk();
  // Steps that end after an interrupted run send its end again.
  const ended = useRef(new Set<number>());
  useLive((message) => {
    if (message.type !== 'bulk-run') return;
    const run = message.data;
    afterResponses(queryClient, { routes: ['POST /api/bulk'] }, () => {
      const { queryKey } = bulkRunQuery(run.id);
      if (isOld(run, queryClient.getQueryData(queryKey))) return;
      queryClient.setQueryData(queryKey, (known) => (known ? { ...known, ...run } : undefined));
      if (run.status === 'running' || ended.current.has(run.id)) return;
      ended.current.add(run.id);
      queryClient.invalidateQueries({ queryKey });
      reloadInterviews(queryClient);
      if (run.startedBy?.id !== queryClient.getQueryData(userQuery.queryKey)?.id) return;
      announceEnd(run, undo, queryClient).catch((error) => logError('The end of a bulk run was not shown', error));
    });
  });
}
