import { ChevronDown, CircleQuestionMark } from 'lucide-react';
import { memo, useState } from 'react';
import { factsWith, useSteps } from '#web/features/interviews/interview-steps.ts';
import { cn } from '#web/lib/cn.ts';
import { formatCount, formatDate, formatDuration } from '#web/lib/format.ts';
import { Button } from '#web/ui/forms/button.tsx';
import type { InterviewItemProps } from './interview-card.tsx';
import { InterviewBadges, InterviewOrigin } from './interview-facts.tsx';
import { InterviewMenu } from './interview-menu.tsx';
import { InterviewTabs } from './interview-tabs.tsx';
import { InterviewThumbnail } from './interview-thumbnail.tsx';

/** An interview in the compact layout. Its tabs unfold below. */
export const InterviewRow = memo(function InterviewRow({ interview, funnelName, eager, onOpen }: InterviewItemProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  const steps = useSteps(interview.id);
  const facts = factsWith(interview, steps);
  const heading = `interview-${interview.id}`;
  const tabs = `${heading}-tabs`;
  const candidate = `${interview.candidateName || 'No candidate name'} · ${interview.candidateEmail || 'No email available'}`;
  const showQuestions = () => onOpen('questions', interview.id);

  return (
    <li>
      <article aria-labelledby={heading} className="px-3 py-2.5 sm:px-4">
        <div className="flex items-start gap-3 sm:items-center sm:gap-4">
          <InterviewThumbnail
            interview={interview}
            eager={eager}
            compact
            onPlay={() => onOpen('video', interview.id)}
            className="w-22 shrink-0 rounded-md sm:w-28"
          />
          <div className="flex min-w-0 grow flex-col gap-1 lg:flex-row lg:items-center lg:gap-6">
            <div className="min-w-0 grow">
              <h2 id={heading} title={interview.title} className="font-semibold max-sm:line-clamp-2 sm:truncate">
                {interview.title}
              </h2>
              <p title={candidate} className="text-sm break-words text-muted max-sm:line-clamp-2 sm:truncate">
                {candidate}
              </p>
              <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 sm:flex-nowrap">
                <div className="flex flex-wrap gap-1.5 sm:shrink-0">
                  <InterviewBadges facts={facts} />
                </div>
                <div className="flex min-w-0 items-center gap-x-3 max-sm:flex-wrap">
                  <InterviewOrigin clientName={interview.clientName} funnelName={funnelName} />
                </div>
              </div>
            </div>
            <RowFacts interview={interview} onQuestions={showQuestions} />
          </div>
          <div className="flex shrink-0 flex-col sm:flex-row sm:gap-0.5">
            <InterviewMenu interview={interview} onQuestions={showQuestions} />
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
        <div id={tabs} className="max-w-md pt-1 sm:ml-32">
          {isUnfolded && <InterviewTabs interview={interview} facts={facts} steps={steps} onOpen={onOpen} />}
        </div>
      </article>
    </li>
  );
});

function RowFacts({ interview, onQuestions }: { interview: InterviewItemProps['interview']; onQuestions: () => void }) {
  const count = interview.processingStatus.questions.length;
  return (
    <ul className="flex shrink-0 flex-wrap gap-x-4 text-xs whitespace-nowrap lg:text-sm text-muted lg:w-54 lg:flex-col">
      <li>Recorded: {formatDate(interview.recordedDate)}</li>
      <li>
        Duration: {formatDuration(interview.duration)}
        <button
          type="button"
          aria-label={formatCount(count, 'question')}
          onClick={onQuestions}
          className="touch-beyond relative ml-1 inline-flex h-5 min-w-6 items-center justify-center gap-1 rounded-md px-1 align-middle text-accent-ink hover:bg-accent-soft"
        >
          <CircleQuestionMark aria-hidden className="size-3.5" />
          {count}
        </button>
      </li>
      <li className="truncate text-xs text-faint">
        ID: <span className="font-mono">{interview.interviewId}</span>
      </li>
    </ul>
  );
}
