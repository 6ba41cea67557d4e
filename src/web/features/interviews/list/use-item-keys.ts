import type { KeyboardEvent } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { hasAllSteps } from '#contracts/rules/badges.ts';
import type { OpenInterviewDialog } from '#web/features/interviews/dialogs/open-dialog.ts';
import { useArchive } from '#web/features/interviews/interview-actions.ts';
import { useSummarize } from '#web/features/interviews/interview-steps.ts';
import { useHasSelection } from '#web/features/interviews/selection/selection.ts';
import { byKey, ITEM_KEYS } from '#web/lib/keys.ts';
import { useMay } from '#web/lib/may.ts';
import { isIgnoredShortcut } from '#web/lib/single-key-shortcuts.ts';
import { toast } from '#web/lib/toast.ts';

/**
 * Handles the keys that act on the interview that has the focus. While interviews are selected, the
 * bulk bar handles them.
 */
export function useItemKeys(interviews: readonly Interview[], onOpen: OpenInterviewDialog) {
  const archive = useArchive();
  const summarize = useSummarize();
  const hasSelection = useHasSelection();
  const may = useMay();
  const acts = byKey<keyof typeof ITEM_KEYS, (interview: Interview, item: Element) => void>(ITEM_KEYS, {
    archive: (interview, item) => {
      if (interview.archived || !may('POST /api/interviews/:id/archive')) return;
      focusNeighbor(item);
      archive(interview);
    },
    summarize: ({ id, summaryStatus }) => {
      if (summaryStatus === 'completed') onOpen('summary', id);
      else if (summaryStatus !== 'in-progress' && may('POST /api/interviews/:id/summarize')) summarize(id);
    },
    setDestination: (interview) => {
      if (!may('POST /api/interviews/:id/destination')) return;
      if (hasAllSteps(interview)) onOpen('destination', interview.id);
      else toast({ title: 'Convert the video and generate the transcript and summary first.', variant: 'warning' });
    },
    share: ({ id }) => {
      if (may('POST /api/shares')) onOpen('share', id);
    },
  });
  return (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as HTMLElement;
    const act = acts[event.key.toLowerCase()];
    const item = target.closest('li:has(> article)');
    const interview = interviews.find(({ id }) => item?.querySelector(`[id="interview-${CSS.escape(id)}"]`));
    // A key that is held down must not archive one interview after the other.
    if (!act || event.repeat || !item || !interview || hasSelection || isIgnoredShortcut(event.nativeEvent)) return;
    if (!target.matches('input:not([type=checkbox]), textarea')) act(interview, item);
  };
}

/** The item with the focus disappears. */
function focusNeighbor(item: Element): void {
  const next = item.nextElementSibling ?? item.previousElementSibling;
  (next?.querySelector<HTMLElement>('[data-play]') ?? document.querySelector('main'))?.focus();
}
