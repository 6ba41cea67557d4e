import { ChevronDown } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { cn } from '#web/lib/cn.ts';
import { useIsScorecardOpen } from '#web/lib/use-dialog.ts';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';

const ReviewPanel = lazyPart(() => import('./review-panel.tsx').then((m) => m.ReviewPanel), {
  inPlace: true,
  fallback: <Loading>Loading the reviews...</Loading>,
});

interface Props {
  interview: Interview;
  isOpen: boolean;
  onToggle: () => void;
}

/** Unfolds the review. Until then nothing is read, because reading colleagues' reviews is recorded. */
export function ReviewSection({ interview: { id, funnelIdNum }, isOpen, onToggle }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const isLinked = useIsScorecardOpen();
  useEffect(() => {
    if (!isLinked) return;
    button.current?.focus();
    button.current?.scrollIntoView();
  }, [isLinked]);
  return (
    <section aria-label="Review" className="mt-3">
      <Button ref={button} variant="ghost" aria-expanded={isOpen} onClick={onToggle} className="px-2">
        <ChevronDown aria-hidden className={cn('transition-transform', isOpen && 'rotate-180')} />
        Review with scorecard
      </Button>
      {isOpen && (
        <div className="mt-2 rounded-lg border border-line p-4">
          <ReviewPanel key={id} interviewId={id} funnelId={funnelIdNum} />
        </div>
      )}
    </section>
  );
}
