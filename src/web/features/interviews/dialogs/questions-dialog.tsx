import { MessageCircleQuestionMark } from 'lucide-react';
import type { Interview } from '#contracts/interviews.ts';
import { useMay } from '#web/lib/may.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { QuestionText } from './question-text.tsx';

export function QuestionsDialog({ interview, onClose }: { interview: Interview; onClose: () => void }) {
  const questions = interview.processingStatus.questions.toSorted((a, b) => a.position - b.position);
  return (
    <Dialog onClose={onClose} title="Interview Questions" description={interview.title} size="md" readable>
      {questions.length === 0 ? (
        <NoQuestions />
      ) : (
        <ol className="flex flex-col divide-y divide-line">
          {questions.map(({ position, question }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: fixed order; positions can repeat
            <li key={index} className="flex gap-3 py-3 first:pt-0">
              <span className="grid size-6 shrink-0 place-items-center rounded-md bg-sunken text-xs font-semibold text-muted">
                {position + 1}
              </span>
              <QuestionText markup={question} />
            </li>
          ))}
        </ol>
      )}
    </Dialog>
  );
}

function NoQuestions() {
  const maySync = useMay()('GET /api/interviews/sync');
  return (
    <div className="flex flex-col items-center py-8 text-center">
      <MessageCircleQuestionMark aria-hidden className="mb-3 size-6 text-faint" />
      <p className="font-medium">No questions available for this interview.</p>
      {maySync && <p className="mt-1 text-muted">Try syncing interviews again to retrieve questions.</p>}
    </div>
  );
}
