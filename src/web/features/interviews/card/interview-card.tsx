import { memo } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import type { OpenInterviewDialog } from '#web/features/interviews/dialogs/open-dialog.ts';
import { factsWith, useSteps } from '#web/features/interviews/interview-steps.ts';
import { Card } from '#web/ui/layout/card.tsx';
import { InterviewBadges, InterviewFacts, InterviewOrigin } from './interview-facts.tsx';
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
    <li className="flex min-w-0">
      <Card className="flex w-full min-w-0 flex-col transition-shadow duration-150 hover:shadow-pop">
        <article aria-labelledby={heading} className="flex grow flex-col">
          <InterviewThumbnail
            interview={interview}
            eager={eager}
            onPlay={() => onOpen('video', interview.id)}
            className="rounded-t-[calc(var(--radius-xl)-1px)]"
          />
          <div className="flex grow flex-col p-4">
            <div className="flex items-start justify-between gap-2">
              <h2
                id={heading}
                title={interview.title}
                className="line-clamp-2 min-w-0 text-lg leading-snug font-semibold break-words"
              >
                {interview.title}
              </h2>
              <span className="-mt-1 -mr-1.5 shrink-0">
                <InterviewMenu interview={interview} onQuestions={showQuestions} />
              </span>
            </div>
            <div className="mt-2 flex flex-wrap gap-1.5">
              <InterviewBadges facts={facts} />
            </div>
            <div className="mt-1.5 flex items-center gap-3">
              <InterviewOrigin clientName={interview.clientName} funnelName={funnelName} />
            </div>
            <div className="mt-3 mb-3 border-t border-line pt-3">
              <p className="truncate font-medium">{interview.candidateName || 'No candidate name'}</p>
              <p className="truncate text-sm text-muted">{interview.candidateEmail || 'No email available'}</p>
            </div>
            <InterviewFacts interview={interview} onQuestions={showQuestions} />
            <div className="pt-3">
              <InterviewTabs interview={interview} facts={facts} steps={steps} onOpen={onOpen} />
            </div>
          </div>
        </article>
      </Card>
    </li>
  );
});
