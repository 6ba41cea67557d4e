import { useState } from 'react';
import type { BulkAction, startBulkRun } from '#contracts/bulk.ts';
import type { CallInput } from '#contracts/endpoint.ts';
import { MAX_BULK_ITEMS } from '#contracts/rules/limits.ts';
import type { InterviewFilters } from '#web/features/interviews/interview-filters.ts';
import { interviewListInput } from '#web/features/interviews/interview-filters.ts';
import { formatCount, formatNumber } from '#web/lib/format.ts';
import { toast } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { AlertDialog } from '#web/ui/overlays/alert-dialog.tsx';
import { ACTION_LABELS, showBulkRun } from './bulk-runs.ts';
import type { Selection } from './selection.ts';

type Body = CallInput<typeof startBulkRun>['body'];

/** The filters of the list as the target of a run. */
export function filterTarget(filters: InterviewFilters, expected: number): Body['target'] {
  const { page: _page, limit: _limit, texts: _texts, ...filter } = interviewListInput(filters).query;
  return { filter, expected };
}

export const targetOf = ({ ids, matches }: Selection): Body['target'] =>
  matches ? filterTarget(matches.filters, matches.total) : { ids: [...ids] };

/**
 * Starts bulk runs. Callers that pass a filter must render `question`: it asks for a confirmation
 * when the number of matching interviews has changed.
 */
export function useStartBulk({ onStarted }: { onStarted?: () => void } = {}) {
  const [changed, setChanged] = useState<{ body: Body; matches: number } | null>(null);
  const start = useAction('POST /api/bulk', {
    onSuccess: (run) => {
      setChanged(null);
      showBulkRun(run.id);
      onStarted?.();
    },
    onError: ({ code, matches, message }, { body }) => {
      if (code === 'matches_changed' && matches) return setChanged({ body, matches });
      setChanged(null);
      toast({ title: `${ACTION_LABELS[body.action]} Failed`, description: message, variant: 'destructive' });
    },
  });
  const confirm = () => {
    if (!changed || !('filter' in changed.body.target)) return;
    const target = { ...changed.body.target, expected: changed.matches };
    start.mutate({ body: { ...changed.body, target } });
  };
  return {
    start: (body: Body) => {
      if ('filter' in body.target && body.target.expected > MAX_BULK_ITEMS) toastTooMany(body.action);
      else start.mutate({ body });
    },
    isPending: start.isPending,
    question: changed && (
      <AlertDialog
        open
        onOpenChange={() => setChanged(null)}
        title="The list has changed"
        description={`${formatCount(changed.matches, 'interview')} match now. Continue with all of them?`}
        confirm={`${ACTION_LABELS[changed.body.action]} ${formatNumber(changed.matches)}`}
        pending={start.isPending}
        onConfirm={confirm}
      />
    ),
  };
}

const toastTooMany = (action: BulkAction) =>
  toast({
    title: `${ACTION_LABELS[action]} Failed`,
    description: `At most ${formatCount(MAX_BULK_ITEMS, 'interview')} at once. Use a filter to select fewer.`,
    variant: 'destructive',
  });
