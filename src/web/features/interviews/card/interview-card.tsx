import { memo } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import type { OpenInterviewDialog } from '#web/features/interviews/dialogs/open-dialog.ts';
import { factsWith, useSteps } from '#web/features/interviews/interview-steps.ts';
import { SelectBox } from '#web/features/interviews/selection/select-box.tsx';
import {
  DecisionMark,
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

export interface InterviewItemProps {
  interview: Interview;
  funnelName: string | null;
  eager: boolean;
  onOpen: OpenInterviewDialog;
}

// A refresh sends up to fifty progress messages a second: only changed interviews render again.
export const InterviewCard = memo(function InterviewCard({ interview, funnelName, eager, onOpen }: InterviewItemProps) {
  const steps = useSteps(interview.id);
  const facts = factsWith(interview, steps);
  const heading = `interview-${interview.id}`;
  const showQuestions = () => onOpen('questions', interview.id);

  return (
    // Four rows of the list's grid, so that the parts of neighboring cards align.
    <li className="relative row-span-4 mb-4 grid min-w-0 grid-rows-subgrid has-checked:[&>article]:border-accent has-checked:[&>article]:bg-accent-soft md:mb-5">
      <SelectBox interview={interview} />
      <article
        aria-labelledby={heading}
        className="row-span-4 grid min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-subgrid rounded-xl border border-line bg-surface shadow-card transition-shadow duration-150 hover:shadow-pop"
      >
        <div className="flex items-start gap-3 px-3.5 pt-3.5">
          <InterviewThumbnail
            interview={interview}
            eager={eager}
            onPlay={() => onOpen('video', interview.id)}
            className="h-18 w-32 shrink-0 rounded-lg max-sm:w-28"
          />
          <div className="min-w-0 grow">
            <InterviewHeading interview={interview} className="mt-0.5 line-clamp-2" />
          </div>
          <span className="-mt-1 -mr-2 shrink-0 max-md:-mt-2.5 max-md:-mr-2.5">
            <InterviewMenu interview={interview} onQuestions={showQuestions} />
          </span>
        </div>
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 px-3.5 pt-2">
          <InterviewBadges facts={facts} processing={interview.processingStatus} />
          <WatchedMark interview={interview} />
          <DecisionMark interview={interview} />
          <InterviewOrigin interview={interview} funnelName={funnelName} />
          <PushMark interview={interview} withReason />
        </div>
        <div className="px-3.5 pt-1">
          <InterviewEmail interview={interview} />
          <InterviewFacts interview={interview} onQuestions={showQuestions} />
          <InterviewMatch interview={interview} onOpen={onOpen} />
        </div>
        <div className="px-3.5 pt-1 pb-1.5">
          <InterviewTabs interview={interview} facts={facts} steps={steps} onOpen={onOpen} />
        </div>
      </article>
    </li>
  );
});
