import { Building2, CalendarDays, CircleQuestionMark, Clock, Filter, Hash } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { BADGE_LABELS, type BadgeFacts, type Badge as BadgeName, badgesOf } from '#contracts/rules/badges.ts';
import { formatCount, formatDate, formatDuration } from '#web/lib/format.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';

const TONES = {
  new: 'accent',
  processing: 'info',
  pending: 'warning',
  sent: 'success',
  error: 'danger',
} as const satisfies Record<BadgeName, unknown>;

export function InterviewBadges({ facts }: { facts: BadgeFacts }) {
  return badgesOf(facts).map((badge) => (
    <Badge key={badge} tone={TONES[badge]}>
      <span
        aria-hidden
        className={`size-1.5 rounded-full bg-current ${badge === 'processing' ? 'animate-pulse' : ''}`}
      />
      {BADGE_LABELS[badge]}
    </Badge>
  ));
}

interface OriginProps {
  clientName: string | null;
  /** Null while the funnels are loading. */
  funnelName: string | null;
}

export const InterviewOrigin = ({ clientName, funnelName }: OriginProps) => (
  <>
    {clientName && <Origin icon={<Building2 aria-hidden />}>{clientName}</Origin>}
    {funnelName !== null && <Origin icon={<Filter aria-hidden />}>{funnelName}</Origin>}
  </>
);

const Origin = ({ icon, children }: { icon: ReactNode; children: string }) => (
  <span
    title={children}
    className="inline-flex h-5.5 max-w-full min-w-0 items-center gap-1 text-xs text-muted [&>svg]:size-3 [&>svg]:shrink-0 [&>svg]:text-faint"
  >
    {icon}
    <span className="truncate">{children}</span>
  </span>
);

interface FactsProps {
  interview: Interview;
  onQuestions: () => void;
}

export function InterviewFacts({ interview, onQuestions }: FactsProps) {
  const count = interview.processingStatus.questions.length;
  return (
    <ul className="flex flex-col gap-1 text-sm text-muted">
      <Fact icon={<CalendarDays />}>Recorded: {formatDate(interview.recordedDate)}</Fact>
      <Fact icon={<Clock />}>
        Duration: {formatDuration(interview.duration)}
        <button
          type="button"
          aria-label={formatCount(count, 'question')}
          title={formatCount(count, 'question')}
          onClick={onQuestions}
          className="touch-beyond relative -my-1 ml-1 inline-flex h-6 min-w-6 items-center justify-center gap-1 rounded-md px-1.5 align-middle text-accent-ink hover:bg-accent-soft"
        >
          <CircleQuestionMark aria-hidden className="size-3.5" />
          {count}
        </button>
      </Fact>
      <Fact icon={<Hash />}>
        <span className="block truncate text-muted" title={interview.interviewId}>
          ID: <span className="font-mono text-xs">{interview.interviewId}</span>
        </span>
      </Fact>
    </ul>
  );
}

const Fact = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <li className="flex min-w-0 items-center gap-2 [&>svg]:size-3.5 [&>svg]:shrink-0 [&>svg]:text-faint">
    {icon}
    <span className="min-w-0">{children}</span>
  </li>
);
