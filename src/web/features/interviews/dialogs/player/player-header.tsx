import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import type { BadgeFacts } from '#contracts/rules/badges.ts';
import { PushChip } from '#web/features/ats-pushes/push-chip.tsx';
import { InterviewBadges } from '#web/features/interviews/card/interview-facts.tsx';
import { cn } from '#web/lib/cn.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatDate } from '#web/lib/format.ts';

/** A title of at most two lines. A longer one unfolds on a click. */
export function ClampedTitle({ children }: { children: string }) {
  const text = useRef<HTMLSpanElement>(null);
  const [isLong, setLong] = useState(false);
  const [isUnfolded, setUnfolded] = useState(false);
  useLayoutEffect(() => {
    const measure = () => {
      if (text.current && !isUnfolded) setLong(text.current.scrollHeight > text.current.clientHeight + 1);
    };
    measure();
    addEventListener('resize', measure);
    return () => removeEventListener('resize', measure);
  }, [isUnfolded]);
  const title = (
    <span ref={text} className={cn('break-words', isUnfolded ? 'block' : 'line-clamp-2')}>
      {children}
    </span>
  );
  if (!isLong) return title;
  return (
    <button
      type="button"
      aria-expanded={isUnfolded}
      onClick={() => setUnfolded(!isUnfolded)}
      className="touch-beyond relative text-left"
    >
      {title}
    </button>
  );
}

/** Who is shown, in which state, and for which job. */
export function PlayerFacts({ interview, facts }: { interview: Interview; facts: BadgeFacts }) {
  const { candidateName, candidateEmail, clientName, funnelIdNum, recordedDate } = interview;
  const { data: funnels } = useQuery(endpointQuery('/api/funnels'));
  const job = funnels?.find(({ id }) => id === funnelIdNum)?.name;
  // A line must not begin with the dot.
  const origin = [job, clientName, `Recorded: ${formatDate(recordedDate)}`].filter(Boolean).join('\u00a0· ');
  return (
    <>
      <span className="block">{[candidateName, candidateEmail].filter(Boolean).join(' · ')}</span>
      <span className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <InterviewBadges facts={facts} processing={interview.processingStatus} />
        {interview.push && <PushChip interviewId={interview.id} push={interview.push} />}
        <span>{origin}</span>
      </span>
    </>
  );
}
