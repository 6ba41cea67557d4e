import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BulkAction, startBulkRun } from '#contracts/bulk.ts';
import type { CallInput } from '#contracts/endpoint.ts';
import { MAX_BULK_ITEMS } from '#contracts/rules/limits.ts';
import type { InterviewFilters } from '#web/features/interviews/interview-filters.ts';
import { interviewListInput, PAGE_SIZE } from '#web/features/interviews/interview-filters.ts';
import { formatCount } from '#web/lib/format.ts';
import { toast } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';
import type { Question } from './bulk-question.tsx';
import { ACTION_LABELS, showBulkRun } from './bulk-runs.ts';
import type { Selection } from './selection.ts';

type Body = CallInput<typeof startBulkRun>['body'];

const BulkQuestion = lazyPart(() => import('./bulk-question.tsx').then((m) => m.BulkQuestion));

/** The filters of the list as the target of a run. */
export function filterTarget(filters: InterviewFilters, expected: number) {
  const { page: _page, limit: _limit, texts: _texts, ...filter } = interviewListInput(filters).query;
  return { filter, expected };
}

export const targetOf = ({ ids, matches }: Selection): Body['target'] =>
  matches ? filterTarget(matches.filters, matches.total) : { ids: [...ids] };

/** Asked about for more than one interview, because nothing undoes them. */
const PERMANENT: ReadonlySet<BulkAction> = new Set<BulkAction>([
  'convert',
  'transcribe',
  'summarize',
  'process',
  'sendToAts',
]);

const ROUTE = 'POST /api/bulk';

/** The number of interviews; 0 for the interviews of an earlier run. */
const countOf = (target: Body['target']): number => {
  if ('ids' in target) return target.ids.length;
  return 'filter' in target ? target.expected : 0;
};

/** The dialog of a destination and the undo of a run are their own questions. */
const needsQuestion = ({ action, target }: Body, count: number): boolean =>
  action !== 'setDestination' && !('run' in target) && count > (PERMANENT.has(action) ? 1 : PAGE_SIZE);

/**
 * Starts bulk runs. Callers must render `question`. It asks before actions on many interviews
 * that nothing undoes, before all actions on more interviews than a page shows, and when the number
 * of matches has changed.
 */
export function useStartBulk({ onStarted }: { onStarted?: () => void } = {}) {
  const [asked, setAsked] = useState<Question | null>(null);
  const queryClient = useQueryClient();
  const start = useAction(ROUTE, {
    onSuccess: (run) => {
      setAsked(null);
      showBulkRun(run.id);
      onStarted?.();
    },
    onError: ({ code, matches, message }, { body }) => {
      if (code === 'matches_changed' && matches) return setAsked({ body, matches });
      setAsked(null);
      toast({ title: `${ACTION_LABELS[body.action]} Failed`, description: message, variant: 'destructive' });
    },
  });
  // `isPending` is from the last rendering, and a key may be pressed twice before the next one.
  const isStarting = () => queryClient.isMutating({ mutationKey: [ROUTE] }) > 0;
  const confirm = ({ body, matches }: Question) => {
    if (isStarting()) return;
    const { target } = body;
    const changed = matches !== undefined && 'filter' in target ? { ...target, expected: matches } : target;
    start.mutate({ body: { ...body, target: changed } });
  };
  return {
    start: (body: Body) => {
      if (isStarting()) return;
      const count = countOf(body.target);
      if (count > MAX_BULK_ITEMS) toastTooMany(body.action);
      else if (needsQuestion(body, count)) setAsked({ body });
      else start.mutate({ body });
    },
    isPending: start.isPending,
    question: asked && (
      <BulkQuestion
        question={asked}
        count={asked.matches ?? countOf(asked.body.target)}
        pending={start.isPending}
        onConfirm={() => confirm(asked)}
        onClose={() => setAsked(null)}
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
