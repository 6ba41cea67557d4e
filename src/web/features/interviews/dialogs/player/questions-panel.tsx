import { Bookmark } from 'lucide-react';
import type { RefObject } from 'react';
import { QuestionText } from '#web/features/interviews/dialogs/question-text.tsx';
import { formatDuration } from '#web/lib/format.ts';
import { useMay } from '#web/lib/may.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { type AnsweredQuestion, useMarkAnswer } from './use-answers.ts';

interface Props {
  interviewId: string;
  questions: readonly AnsweredQuestion[];
  video: RefObject<HTMLVideoElement | null>;
  onSeek: (seconds: number) => void;
}

/**
 * The questions with the times of their answers. A missing time can be marked by hand, and a wrong
 * one corrected, unless the answer was recorded separately.
 */
export function QuestionsPanel({ interviewId, questions, video, onSeek }: Props) {
  const storeStart = useMarkAnswer(interviewId);
  const mayMark = useMay()('POST /api/interviews/:id/answers');
  const mark = (position: number) => storeStart(position, video.current?.currentTime ?? 0);
  if (questions.length === 0) return <p className="p-3 text-muted">No questions available for this interview.</p>;
  return (
    <ol className="min-h-0 grow divide-y divide-line overflow-y-auto px-3 max-lg:max-h-64">
      {questions.map(({ position, question, start, seconds, isReady }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fixed order; positions can repeat
        <li key={index} className="flex items-baseline gap-2.5 py-2.5 text-sm">
          <span className="shrink-0 font-semibold tabular-nums">{position + 1}</span>
          <div className="min-w-0 grow">
            <QuestionText markup={question} />
            {seconds !== null && (
              <p className="text-muted tabular-nums">Length: {formatDuration(Math.round(seconds))}</p>
            )}
            {!isReady && <p className="text-muted">Still being processed. The next refresh fetches this answer.</p>}
          </div>
          {start !== null ? (
            <Button
              size="sm"
              aria-label={`Play answer ${position + 1} at ${formatDuration(Math.floor(start))}`}
              className="tabular-nums"
              onClick={() => onSeek(start)}
            >
              {formatDuration(Math.floor(start))}
            </Button>
          ) : isReady && mayMark ? (
            // React reuses the element for the Play button that replaces it, so the focus stays.
            <Button
              size="sm"
              aria-label={`Mark start of answer ${position + 1}`}
              title="The answer starts at the current moment of the video"
              onClick={() => mark(position)}
            >
              Mark start
            </Button>
          ) : null}
          {mayMark && start !== null && seconds === null && (
            <Button
              size="icon-sm"
              variant="ghost"
              aria-label={`Move start of answer ${position + 1} to the current moment`}
              title="Move the start to the current moment of the video"
              className="self-start"
              onClick={() => mark(position)}
            >
              <Bookmark aria-hidden />
            </Button>
          )}
        </li>
      ))}
    </ol>
  );
}
