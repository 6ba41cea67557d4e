import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { plainText } from '#contracts/rules/plain-text.ts';
import { type InterviewFilters, reviewFilters } from '#web/features/interviews/interview-filters.ts';
import { interviewsQuery } from '#web/features/interviews/interviews-query.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatCount } from '#web/lib/format.ts';
import { LoadError } from '#web/ui/feedback/load-error.tsx';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { RadioGroup } from '#web/ui/forms/radio-group.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx';
import { useStartReview } from './use-start-review.ts';

interface Props {
  filters: InterviewFilters;
  onClose: () => void;
}

/** Chooses the job and the question of a review that plays one answer of each candidate. */
export function AnswersDialog({ filters, onClose }: Props) {
  const jobs = useJobs(filters);
  const [chosenJob, setChosenJob] = useState<number | null>(null);
  const job = chosenJob ?? jobs.find(({ isActive }) => isActive)?.id ?? jobs[0]?.id ?? null;
  const { questions, unwatched, query } = useQuestions(filters, job);
  const [chosen, setChosen] = useState(0);
  const number = questions.some((question) => question.number === chosen) ? chosen : (questions[0]?.number ?? null);
  const start = useStartReview(filters, onClose);
  return (
    <FormDialog
      title="Review answer by answer"
      description="Plays one answer of each unwatched candidate of a job. X, Y and T decide, N continues and leaves the candidate unwatched."
      action="Start"
      pending={start.isPending}
      disabled={number === null || unwatched === 0}
      onSubmit={() => job !== null && number !== null && start.mutate({ job, answer: number })}
      onClose={onClose}
      className="flex flex-col gap-4"
    >
      {jobs.length > 1 && job !== null && (
        <Field label="Job">
          {(control) => (
            <Select
              label="Job"
              value={String(job)}
              options={jobs.map(({ id, name }) => ({ value: String(id), label: name }))}
              onChange={(id) => setChosenJob(Number(id))}
              {...control}
            />
          )}
        </Field>
      )}
      {query.isPending && job !== null && <Loading>Loading the questions...</Loading>}
      {query.isLoadingError && <LoadError title="Couldn't load the questions" query={query} />}
      {query.data && (
        <p role="status" className="text-sm text-muted">
          {describeJob(unwatched, questions.length)}
        </p>
      )}
      {number !== null && (
        <RadioGroup
          label="Question"
          name="question"
          value={String(number)}
          choices={questions.map((question) => ({
            value: String(question.number),
            label: `${question.number}. ${question.text}`,
          }))}
          onChange={(value) => setChosen(Number(value))}
        />
      )}
    </FormDialog>
  );
}

function describeJob(unwatched: number, questions: number): string {
  if (unwatched === 0) return 'This job has no unwatched interviews.';
  const count = `${formatCount(unwatched, 'unwatched interview')}.`;
  return questions === 0 ? `${count} Their questions are unknown.` : count;
}

/** The jobs of the list. */
function useJobs({ funnels: listed }: InterviewFilters) {
  const { data } = useQuery(endpointQuery('/api/funnels'));
  return (data ?? []).filter(({ id }) => listed.length === 0 || listed.includes(id));
}

/** The questions of the first unwatched interviews. They rarely change within a job. */
function useQuestions(filters: InterviewFilters, job: number | null) {
  const query = useQuery({
    ...interviewsQuery({ ...reviewFilters(filters, job ?? 0), page: 1 }),
    placeholderData: () => undefined,
    enabled: job !== null,
  });
  return { questions: questionsOf(query.data?.interviews ?? []), unwatched: query.data?.total ?? 0, query };
}

interface NumberedQuestion {
  number: number;
  text: string;
}

function questionsOf(interviews: readonly Interview[]): NumberedQuestion[] {
  const texts = new Map<number, string>();
  for (const { position, question } of interviews.flatMap(({ processingStatus }) => processingStatus.questions))
    if (!texts.has(position + 1)) texts.set(position + 1, plainText(question));
  return [...texts].map(([number, text]) => ({ number, text })).sort((a, b) => a.number - b.number);
}
