import { CalendarDays, CircleQuestionMark, Clock, Hash } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { formatCount, formatDate, formatDuration } from '#web/lib/format.ts';

interface Props {
  interview: Interview;
  onQuestions: () => void;
}

/** When it was recorded, how long it is, how much was asked, and its id. */
export function InterviewFacts({ interview, onQuestions }: Props) {
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
