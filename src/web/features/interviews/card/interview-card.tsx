import { memo } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import type { OpenInterviewDialog } from '#web/features/interviews/dialogs/open-dialog.ts';
import { factsWith, useSteps } from '#web/features/interviews/interview-steps.ts';
import { SelectBox } from '#web/features/interviews/selection/select-box.tsx';
import {
  InterviewBadges,
  InterviewCandidate,
  InterviewFacts,
  InterviewOrigin,
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
    // Five rows of the list's grid, so that the parts of neighboring cards align.
    <li className="relative row-span-5 mb-4 grid min-w-0 grid-rows-subgrid has-checked:[&>article]:border-accent md:mb-5">
      <SelectBox interview={interview} />
      <article
        aria-labelledby={heading}
        className="row-span-5 grid min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-subgrid rounded-xl border border-line bg-surface shadow-card transition-shadow duration-150 hover:shadow-pop"
      >
        <InterviewThumbnail
          interview={interview}
          eager={eager}
          onPlay={() => onOpen('video', interview.id)}
          className="h-29 rounded-t-[calc(var(--radius-xl)-1px)]"
        />
        <div className="flex items-start justify-between gap-2 px-3.5 pt-2.5 max-md:pt-1">
          <h2
            id={heading}
            title={interview.title}
            className="line-clamp-2 min-w-0 leading-5 font-semibold break-words max-md:mt-3"
          >
            {interview.title || interview.id}
          </h2>
          <span className="-mt-1 -mr-2 -mb-1.5 shrink-0 max-md:mt-0">
            <InterviewMenu interview={interview} onQuestions={showQuestions} />
          </span>
        </div>
        <div className="flex min-w-0 items-center gap-2 px-3.5 pt-1">
          <InterviewBadges facts={facts} processing={interview.processingStatus} />
          <WatchedMark interview={interview} />
          <InterviewOrigin clientName={interview.clientName} funnelName={funnelName} />
        </div>
        <div className="px-3.5 pt-1">
          <InterviewCandidate interview={interview} />
          <InterviewFacts interview={interview} onQuestions={showQuestions} />
          <InterviewMatch interview={interview} onOpen={onOpen} />
        </div>
        <div className="px-3.5 pt-1 pb-2.5">
          <InterviewTabs interview={interview} facts={facts} steps={steps} onOpen={onOpen} />
        </div>
      </article>
    </li>
  );
});
