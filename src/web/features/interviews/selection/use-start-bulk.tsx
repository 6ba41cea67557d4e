import { useState } from 'react';
import type { BulkAction, startBulkRun } from '#contracts/bulk.ts';
import type { CallInput } from '#contracts/endpoint.ts';
import { MAX_BULK_ITEMS } from '#contracts/rules/limits.ts';
import type { InterviewFilters } from '#web/features/interviews/interview-filters.ts';
import { interviewListInput, PAGE_SIZE } from '#web/features/interviews/interview-filters.ts';
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

/** What to know before an action on many interviews. */
const CONSEQUENCES: Record<BulkAction, string> = {
  convert: "Their videos are published on YouTube. You can't undo that here.",
  transcribe: 'Those that have a transcript are skipped. You can cancel while it runs.',
  summarize: 'Missing transcripts are written first. You can cancel while it runs.',
  process: "They are transcribed and summarized, and their videos are published on YouTube. You can't undo that here.",
  retry: 'Their failed steps start again.',
  setDestination: '',
  undoDestination: '',
  archive: "You'll find them under Archived.",
  unarchive: 'They return to the list.',
};
/** Asked about for more than one interview, because nothing undoes them. */
const PERMANENT: ReadonlySet<BulkAction> = new Set<BulkAction>(['convert', 'transcribe', 'summarize', 'process']);

/** The dialog of a destination and the undo of a run are their own questions. */
const needsQuestion = ({ action, target }: Body, count: number): boolean =>
  action !== 'setDestination' && !('run' in target) && count > (PERMANENT.has(action) ? 1 : PAGE_SIZE);

const countOf = (target: Body['target']): number => {
  if ('ids' in target) return target.ids.length;
  return 'filter' in target ? target.expected : 0;
};

interface Question {
  body: Body;
  /** The number of matches when it has changed since the user chose the action. */
  matches?: number;
}

/**
 * Starts bulk runs. Callers must render `question`. It asks before actions on many interviews
 * that nothing undoes, before all actions on more interviews than a page shows, and when the number
 * of matches has changed.
 */
export function useStartBulk({ onStarted }: { onStarted?: () => void } = {}) {
  const [asked, setAsked] = useState<Question | null>(null);
  const start = useAction('POST /api/bulk', {
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
  const confirm = ({ body, matches }: Question) => {
    const { target } = body;
    const changed = matches !== undefined && 'filter' in target ? { ...target, expected: matches } : target;
    start.mutate({ body: { ...body, target: changed } });
  };
  return {
    start: (body: Body) => {
      const count = countOf(body.target);
      if (count > MAX_BULK_ITEMS) toastTooMany(body.action);
      else if (needsQuestion(body, count)) setAsked({ body });
      else start.mutate({ body });
    },
    isPending: start.isPending,
    question: asked && (
      <AlertDialog
        open
        onOpenChange={() => setAsked(null)}
        {...textsOf(asked)}
        pending={start.isPending}
        onConfirm={() => confirm(asked)}
      />
    ),
  };
}

function textsOf({ body: { action, target }, matches }: Question) {
  const count = matches ?? countOf(target);
  const confirm = `${ACTION_LABELS[action]} ${formatNumber(count)}`;
  if (matches === undefined)
    return {
      title: `${ACTION_LABELS[action]} ${formatCount(count, 'interview')}?`,
      description: CONSEQUENCES[action],
      confirm,
    };
  return {
    title: 'The list has changed',
    description: `${formatCount(matches, 'interview')} match now. Continue with all of them?`,
    confirm,
  };
}

const toastTooMany = (action: BulkAction) =>
  toast({
    title: `${ACTION_LABELS[action]} Failed`,
    description: `At most ${formatCount(MAX_BULK_ITEMS, 'interview')} at once. Use a filter to select fewer.`,
    variant: 'destructive',
  });
