import { Building2, CircleQuestionMark, Eye, Filter, ThumbsDown, ThumbsUp } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Interview, ProcessingStatus } from '#contracts/interviews.ts';
import { BADGE_LABELS, type BadgeFacts, type Badge as BadgeName, badgesOf } from '#contracts/rules/badges.ts';
import { recommendationLabel } from '#contracts/rules/recommendations.ts';
import { cn } from '#web/lib/cn.ts';
import { formatCount, formatDate, formatDuration } from '#web/lib/format.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';
import { stepStates } from './step-state.tsx';

const TONES = {
  new: 'neutral',
  processing: 'info',
  pending: 'warning',
  sent: 'success',
  error: 'danger',
} as const satisfies Record<BadgeName, unknown>;

interface BadgesProps {
  facts: BadgeFacts;
  processing: ProcessingStatus;
}

export function InterviewBadges({ facts, processing }: BadgesProps) {
  const states = Object.values(stepStates(facts, processing));
  const tones = { ...TONES, error: states.includes('failed') ? TONES.error : ('neutral' as const) };
  // The worst one first.
  const badges = badgesOf(facts).toSorted((a, b) => Number(b === 'error') - Number(a === 'error'));
  return badges.map((badge) => (
    <Badge key={badge} tone={tones[badge]} className="shrink-0">
      <span
        aria-hidden
        className={cn(
          'size-1.5 rounded-full bg-current forced-colors:hidden',
          badge === 'processing' && 'animate-pulse',
        )}
      />
      {BADGE_LABELS[badge]}
    </Badge>
  ));
}

const PushChip = lazyPart(() => import('#web/features/ats-pushes/push-chip.tsx').then((m) => m.PushChip));

/** The state of the note in the ATS. */
export const PushMark = ({ interview: { id, push }, withReason }: { interview: Interview; withReason?: boolean }) =>
  push && <PushChip interviewId={id} push={push} withReason={withReason ?? false} />;

/** Marks an interview that the user has watched. */
export const WatchedMark = ({ interview }: { interview: Interview }) =>
  interview.watched && (
    <span title="Watched" className="shrink-0 text-faint">
      <Eye aria-hidden className="size-3.5" />
      <span className="sr-only">Watched</span>
    </span>
  );

/** The user's own recommendation. */
export const DecisionMark = ({ interview: { myRecommendation } }: { interview: Interview }) =>
  myRecommendation !== null && (
    <span
      title={`My review: ${recommendationLabel(myRecommendation)}`}
      className={cn(
        'flex shrink-0 items-center gap-0.5 text-xs font-medium [&>svg]:size-3.5',
        myRecommendation > 2 ? 'text-success-ink' : 'text-danger-ink',
      )}
    >
      {myRecommendation > 2 ? <ThumbsUp aria-hidden /> : <ThumbsDown aria-hidden />}
      {myRecommendation === 4 || myRecommendation === 1 ? <span aria-hidden>!</span> : null}
      <span className="sr-only">My review: {recommendationLabel(myRecommendation)}</span>
    </span>
  );

interface OriginProps {
  interview: Interview;
  /** Null while the funnels are loading. */
  funnelName: string | null;
}

/** The client, which is never cut, and the funnel. */
export const InterviewOrigin = ({ interview: { clientName, title }, funnelName }: OriginProps) => (
  <>
    {clientName && (
      <Origin icon={<Building2 aria-hidden />} className="shrink-0">
        {clientName}
      </Origin>
    )}
    {funnelName !== null && (
      // The title often begins with it: it is not shown twice.
      <Origin icon={<Filter aria-hidden />} className={title.startsWith(funnelName) ? 'sr-only' : 'min-w-0'}>
        {funnelName}
      </Origin>
    )}
  </>
);

const Origin = ({ icon, className, children }: { icon: ReactNode; className: string; children: string }) => (
  <span
    title={children}
    className={cn(
      'inline-flex h-5.5 max-w-full items-center gap-1 text-xs text-muted [&>svg]:size-3 [&>svg]:shrink-0 [&>svg]:text-faint',
      className,
    )}
  >
    {icon}
    <span className="truncate">{children}</span>
  </span>
);

/** The name, large, with the title below it. */
export const InterviewHeading = ({ interview, className }: { interview: Interview; className?: string }) => (
  <>
    <p className="truncate text-lg leading-5.5 font-semibold" title={interview.candidateName ?? undefined}>
      {interview.candidateName || 'No candidate name'}
    </p>
    <h2
      id={`interview-${interview.id}`}
      title={interview.title}
      className={cn('text-sm leading-4.5 break-words text-muted', className)}
    >
      <Title interview={interview} />
    </h2>
  </>
);

/** Hides the name at the end of the title, which is shown above. Screen readers read all of it. */
function Title({ interview: { title, candidateName, interviewId } }: { interview: Interview }) {
  const name = candidateName ?? '';
  const start = name !== '' && title.endsWith(name) ? title.slice(0, -name.length) : title;
  const shown = withoutSeparators(start);
  if (start === title || shown === '' || shown === start) return title || interviewId;
  return (
    <>
      {shown}
      <span className="sr-only">{title.slice(shown.length)}</span>
    </>
  );
}

/** A loop, because a regular expression for the end of a long title takes quadratic time. */
function withoutSeparators(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s–—|:,-]/u.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

export const InterviewEmail = ({ interview }: { interview: Interview }) => (
  <p className="min-w-0 truncate text-xs text-muted" title={interview.candidateEmail ?? undefined}>
    {interview.candidateEmail || 'No email available'}
  </p>
);

interface FactsProps {
  interview: Interview;
  onQuestions: () => void;
  className?: string;
}

/** Date, duration, questions and id, in one line if the id fits. */
export const InterviewFacts = ({ interview, onQuestions, className }: FactsProps) => (
  <ul className={cn('flex flex-wrap items-center gap-x-2 text-xs text-muted', className)}>
    <li>Recorded: {formatDate(interview.recordedDate)}</li>
    <DurationFact interview={interview} onQuestions={onQuestions} />
    <li className="min-w-0 grow basis-44">
      <IdFact id={interview.interviewId} />
    </li>
  </ul>
);

/** Truncated at its start, because the ids of one service differ at their ends. */
export const IdFact = ({ id }: { id: string }) => (
  <span title={id} className="flex text-xs whitespace-pre text-faint">
    {'ID: '}
    <span className="truncate font-mono [direction:rtl]">
      <bdi>{id}</bdi>
    </span>
  </span>
);

/** The questions icon belongs to the duration (section 2 of the specification). */
export function DurationFact({ interview, onQuestions }: FactsProps) {
  const seconds = interview.duration || Math.round(interview.separateAnswers?.seconds ?? 0);
  const count = interview.processingStatus.questions.length;
  return (
    <li className="flex items-center">
      <span {...(seconds === 0 && { title: 'The length is measured when the video is played.' })}>
        Duration: {formatDuration(seconds)}
      </span>
      <button
        type="button"
        aria-label={formatCount(count, 'question')}
        aria-describedby={`interview-${interview.id}`}
        title={formatCount(count, 'question')}
        onClick={onQuestions}
        className="touch-beyond relative ml-1 flex h-5 min-w-6 items-center justify-center gap-1 rounded-md px-1 hover:bg-hover hover:text-ink"
      >
        <CircleQuestionMark aria-hidden className="size-3.5" />
        {count}
      </button>
    </li>
  );
}
