import { ChevronDown } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { cn } from '#web/lib/cn.ts';
import { useIsScorecardOpen } from '#web/lib/use-dialog.ts';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';
import { focusRating } from './focus-rating.ts';

const ReviewPanel = lazyPart(() => import('./review-panel.tsx').then((m) => m.ReviewPanel), {
  fallback: <Loading>Loading the reviews...</Loading>,
});

type ScorecardState = ReturnType<typeof useScorecard>;

/** True if the scorecard below the video is expanded. `panels` contains it. */
export function useScorecard(panels: RefObject<HTMLElement | null>) {
  const [state, setState] = useState<'folded' | 'open' | 'focused'>(useIsScorecardOpen() ? 'open' : 'folded');
  return {
    isOpen: state !== 'folded',
    takesFocus: state === 'focused',
    toggle: () => setState(state === 'folded' ? 'open' : 'folded'),
    /** Stays open for the following interviews. */
    rate: () => {
      setState('focused');
      focusRating(panels.current);
    },
  };
}

interface Props {
  interview: Interview;
  scorecard: ScorecardState;
}

/** Expands the review. Reviews load only then, because reading colleagues' reviews is recorded. */
export function ReviewSection({ interview: { id, funnelIdNum }, scorecard }: Props) {
  const { isOpen, takesFocus, toggle } = scorecard;
  const button = useRef<HTMLButtonElement>(null);
  const isLinked = useIsScorecardOpen();
  useEffect(() => {
    if (!isLinked) return;
    button.current?.focus();
    button.current?.scrollIntoView();
  }, [isLinked]);
  return (
    <section aria-label="Review" className="mt-3">
      <Button ref={button} variant="ghost" aria-expanded={isOpen} onClick={toggle} className="px-2">
        <ChevronDown aria-hidden className={cn('transition-transform', isOpen && 'rotate-180')} />
        Review with scorecard
      </Button>
      {isOpen && (
        <div className="mt-2 rounded-lg border border-line p-4">
          <ReviewPanel key={id} interviewId={id} funnelId={funnelIdNum} takesFocus={takesFocus} />
        </div>
      )}
    </section>
  );
}
