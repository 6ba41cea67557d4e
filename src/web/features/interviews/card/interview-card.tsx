import { memo } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { InterviewBadges } from '#web/features/interviews/card/interview-badges.tsx';
import { InterviewFacts } from '#web/features/interviews/card/interview-facts.tsx';
import { InterviewMenu } from '#web/features/interviews/card/interview-menu.tsx';
import { InterviewOrigin } from '#web/features/interviews/card/interview-origin.tsx';
import { InterviewThumbnail } from '#web/features/interviews/card/interview-thumbnail.tsx';
import type { Open } from '#web/features/interviews/dialogs/open-dialog.ts';
import { InterviewTabs } from '#web/features/interviews/tabs/interview-tabs.tsx';
import { factsWith, useSteps } from '#web/features/interviews/use-steps.ts';
import { Card } from '#web/ui/card.tsx';

export interface InterviewItemProps {
  interview: Interview;
  funnelName: string | null;
  eager: boolean;
  onOpen: Open;
}

// Fifty progress messages a second reach the page during a refresh: only cards whose interview changed are drawn again.
export const InterviewCard = memo(function InterviewCard({ interview, funnelName, eager, onOpen }: InterviewItemProps) {
  const steps = useSteps(interview.id);
  const facts = factsWith(interview, steps);
  const heading = `interview-${interview.id}`;
  const showQuestions = () => onOpen('questions', interview);

  return (
    <li className="flex min-w-0">
      <Card className="flex w-full min-w-0 flex-col transition-shadow duration-150 hover:shadow-pop">
        <article aria-labelledby={heading} className="flex grow flex-col">
          <InterviewThumbnail
            interview={interview}
            eager={eager}
            onPlay={() => onOpen('video', interview)}
            className="rounded-t-[calc(var(--radius-xl)-1px)]"
          />
          <div className="flex grow flex-col p-4">
            <div className="flex items-start justify-between gap-2">
              <h2
                id={heading}
                title={interview.title}
                className="line-clamp-2 min-w-0 text-lg normal-nums leading-snug font-semibold break-words"
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
            <div className="mt-auto pt-3">
              <InterviewTabs interview={interview} facts={facts} steps={steps} onOpen={onOpen} />
            </div>
          </div>
        </article>
      </Card>
    </li>
  );
});
