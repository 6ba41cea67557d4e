import { ChevronDown } from 'lucide-react';
import { memo, useState } from 'react';
import { factsWith, useSteps } from '#web/features/interviews/interview-steps.ts';
import { SelectBox } from '#web/features/interviews/selection/select-box.tsx';
import { cn } from '#web/lib/cn.ts';
import { formatDate } from '#web/lib/format.ts';
import { Button } from '#web/ui/forms/button.tsx';
import type { InterviewItemProps } from './interview-card.tsx';
import {
  DecisionMark,
  DurationFact,
  IdFact,
  InterviewBadges,
  InterviewEmail,
  InterviewFacts,
  InterviewHeading,
  InterviewOrigin,
  PushMark,
  WatchedMark,
} from './interview-facts.tsx';
import { InterviewMatch } from './interview-match.tsx';
import { InterviewMenu } from './interview-menu.tsx';
import { InterviewTabs } from './interview-tabs.tsx';
import { InterviewThumbnail } from './interview-thumbnail.tsx';
import { StepStates } from './step-state.tsx';

/**
 * An interview in the compact layout: one row of 52 px, or up to three lines on phones. Its tabs,
 * and the facts for which the screen is too narrow, unfold below.
 */
export const InterviewRow = memo(function InterviewRow({ interview, funnelName, eager, onOpen }: InterviewItemProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  const steps = useSteps(interview.id);
  const facts = factsWith(interview, steps);
  const heading = `interview-${interview.id}`;
  const tabs = `${heading}-tabs`;
  const showQuestions = () => onOpen('questions', interview.id);
  const origin = <InterviewOrigin interview={interview} funnelName={funnelName} />;

  return (
    <li className="relative has-checked:bg-hover">
      <SelectBox interview={interview} compact />
      <article aria-labelledby={heading} className="pr-1 pl-9 max-md:pl-11 sm:pr-4">
        <div className="flex min-h-13 items-center gap-2 py-1.5 max-md:items-start md:gap-3 md:py-0 xl:gap-5">
          <InterviewThumbnail
            interview={interview}
            eager={eager}
            compact
            onPlay={() => onOpen('video', interview.id)}
            className="h-9 w-16 shrink-0 rounded-md max-md:h-11 max-md:w-12"
          />
          <div className="min-w-0 grow">
            <div className="min-w-0 md:flex md:items-baseline md:gap-2 md:[&>p]:max-w-3/5 md:[&>p]:shrink-0 [&>p]:text-base">
              <InterviewHeading interview={interview} className="min-w-0 truncate" />
            </div>
            <div className="flex min-w-0 items-center gap-2 text-sm leading-4">
              <span className="flex shrink-0 items-center gap-1 md:hidden">
                <InterviewBadges facts={facts} processing={interview.processingStatus} />
                <WatchedMark interview={interview} />
                <DecisionMark interview={interview} />
              </span>
              <InterviewEmail interview={interview} />
              <PushMark interview={interview} />
              <span className="hidden max-w-1/2 shrink-0 lg:inline">
                <IdFact id={interview.interviewId} />
              </span>
            </div>
          </div>
          {/* In narrow columns the mark precedes the second badge. After it, it would wrap to a third line. */}
          <div className="hidden w-23 shrink-0 flex-wrap items-center gap-x-1 gap-y-0.5 max-lg:[&>:nth-child(2)]:order-1 md:flex lg:w-40">
            <InterviewBadges facts={facts} processing={interview.processingStatus} />
            <WatchedMark interview={interview} />
            <DecisionMark interview={interview} />
          </div>
          <div className="hidden w-40 shrink-0 flex-col xl:flex">{origin}</div>
          <div className="hidden shrink-0 md:block">
            <StepStates facts={facts} processing={interview.processingStatus} />
          </div>
          <ul className="hidden w-41 shrink-0 text-xs whitespace-nowrap text-muted lg:block">
            <li>Recorded: {formatDate(interview.recordedDate)}</li>
            <DurationFact interview={interview} onQuestions={showQuestions} />
          </ul>
          <div className="flex shrink-0 gap-0.5">
            <span className="max-md:hidden">
              <InterviewMenu interview={interview} onQuestions={showQuestions} />
            </span>
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label={`Details of ${interview.title}`}
              aria-expanded={isUnfolded}
              aria-controls={tabs}
              onClick={() => setUnfolded(!isUnfolded)}
            >
              <ChevronDown aria-hidden className={cn('transition-transform', isUnfolded && 'rotate-180')} />
            </Button>
          </div>
        </div>
        {interview.match && (
          <div className="pb-1.5 md:ml-19 xl:ml-21">
            <InterviewMatch interview={interview} onOpen={onOpen} />
          </div>
        )}
        <div id={tabs} className="max-w-md max-md:-ml-8 max-md:pr-2 md:ml-19 xl:ml-21">
          {isUnfolded && (
            <div className="flex flex-col gap-1 pb-2.5">
              <div className="flex items-center gap-3 xl:hidden">
                {origin}
                <span className="ml-auto md:hidden">
                  <InterviewMenu interview={interview} onQuestions={showQuestions} />
                </span>
              </div>
              <InterviewFacts interview={interview} onQuestions={showQuestions} className="xl:hidden" />
              <InterviewTabs interview={interview} facts={facts} steps={steps} onOpen={onOpen} />
            </div>
          )}
        </div>
      </article>
    </li>
  );
});
