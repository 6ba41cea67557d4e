import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { navigate } from 'wouter/use-browser-location';
import type { BulkAction, BulkReport, BulkRun } from '#contracts/bulk.ts';
import { reloadInterviews } from '#web/features/interviews/interviews-cache.ts';
import { userQuery } from '#web/features/session/session.ts';
import { afterResponses } from '#web/lib/after-responses.ts';
import { ApiError } from '#web/lib/api-error.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatCount, formatNumber } from '#web/lib/format.ts';
import { useLive } from '#web/lib/live.ts';
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
  archive: 'Archive',
  unarchive: 'Unarchive',
};

/** The run that the bar shows, also after a reload and in other tabs. */
const shown = storedValue('bulk-run', (stored) => {
  const { id } = Object(stored) as { id?: unknown };
  return { id: typeof id === 'number' ? id : null };
});

/** Runs that `showBulkRun` has shown since the page was loaded. */
const started = new Set<number>();

export function showBulkRun(id: number): void {
  started.add(id);
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

/** `1 failed, 2 skipped`; empty when everything is done. */
export const shortfallOf = ({ failed, skipped }: BulkRun): string =>
  [failed > 0 && `${formatNumber(failed)} failed`, skipped > 0 && `${formatNumber(skipped)} skipped`]
    .filter(Boolean)
    .join(', ');

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

function lookOf({ failed, status }: BulkRun): 'destructive' | 'warning' | 'default' {
  if (failed > 0 || status === 'failed') return 'destructive';
  return status === 'canceled' ? 'warning' : 'default';
}

const OUTCOMES: Record<Exclude<BulkAction, 'setDestination' | 'undoDestination'>, string> = {
  convert: 'converted',
  transcribe: 'transcribed',
  summarize: 'summarized',
  process: 'processed',
  retry: 'recovered',
  archive: 'archived',
  unarchive: 'restored',
};

/** `10 interviews processed`, `9 of 10 processed` */
export function titleOf({ action, done, failed, total }: BulkRun): string {
  if (action === 'setDestination') return `Destination set for ${formatCount(done, 'interview')}`;
  if (action === 'undoDestination') return `Destination restored for ${formatCount(done, 'interview')}`;
  if (action === 'archive' && done > 0)
    return done === 1 ? 'Interview Archived' : `${formatNumber(done)} Interviews Archived`;
  if (action === 'unarchive' && done > 0)
    return done === 1 ? 'Interview Restored' : `${formatCount(done, 'Interview')} Restored`;
  if (action === 'retry' && done === 0 && failed > 0) return 'Still failing';
  const what = done === total ? formatCount(done, 'interview') : `${formatNumber(done)} of ${formatNumber(total)}`;
  return `${what} ${OUTCOMES[action]}`;
}

/** `1 skipped: No video`. The reasons of a report are left out when there are several. */
export function explainShortfall(run: BulkRun | BulkReport): string {
  const shortfall = shortfallOf(run);
  const [only, ...others] = 'reasons' in run ? run.reasons : [];
  if (!only || others.length > 0 || only.count !== run.failed + run.skipped) return shortfall;
  const reason = only.reason.replace(/\.$/, '');
  return run.failed > 0 && run.done === 0 ? reason : `${shortfall}: ${reason}`;
}

/** Shows one toast for the whole run. */
function announceBulkEnd(run: BulkRun | BulkReport, undo: (run: BulkRun) => void): void {
  const shortfall = explainShortfall(run);
  const end = run.status === 'canceled' ? 'Canceled.' : (run.error ?? '');
  const where =
    run.action === 'archive' && run.done > 0 ? `You'll find ${run.done === 1 ? 'it' : 'them'} under Archived.` : '';
  const show = { label: 'Show', onClick: () => (run.failed > 0 ? showFailed() : showReport(run.id)) };
  toastNews({
    title: titleOf(run),
    description: [shortfall, where, end].filter(Boolean).join('. ') || undefined,
    variant: lookOf(run),
    ...(shortfall && { action: show }),
    ...(canUndo(run) && { action: { label: 'Undo', onClick: () => undo(run) }, duration: 10_000 }),
  });
}

/** Live messages have no reasons. */
function announceWithReasons(run: BulkRun, undo: (run: BulkRun) => void, queryClient: QueryClient): void {
  if (!shortfallOf(run)) {
    if (shown.get().id === run.id) hideBulkRun();
    announceBulkEnd(run, undo);
    return;
  }
  queryClient.fetchQuery(bulkRunQuery(run.id)).then(
    (report) => announceBulkEnd({ ...report, ...run }, undo),
    () => announceBulkEnd(run, undo),
  );
}

/**
 * True for a message that follows the end of the run. The response to a call may show the end
 * before its message arrives, which is then the first one of a run that was started here.
 */
const isOld = (run: BulkRun, known: BulkRun | null | undefined): boolean =>
  (known?.status ?? 'running') !== 'running' && (run.status === 'running' || !started.has(run.id));

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
      announceWithReasons(run, undo, queryClient);
    });
  });
}
