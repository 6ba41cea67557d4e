import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useSearch } from 'wouter/use-browser-location';
import type { Interview } from '#contracts/interviews.ts';
import { BADGE_LABELS, badgesOf } from '#contracts/rules/badges.ts';
import { QuestionText } from '#web/features/interviews/dialogs/question-text.tsx';
import { SummaryView } from '#web/features/interviews/dialogs/text/summary-view.tsx';
import { interviewQuery } from '#web/features/interviews/interviews-query.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatDate, formatDuration } from '#web/lib/format.ts';
import { useTitle } from '#web/lib/use-title.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Checkbox } from '#web/ui/forms/checkbox.tsx';
import { PageHead } from './page-head.tsx';
import { PrintedReviews } from './printed-reviews.tsx';
import { useRecordedPrinting } from './use-recorded-printing.ts';

/** `/print?id=…`: an interview with its reviews, to print or to save as a PDF. */
export function PrintPage() {
  useTitle('Print');
  const id = new URLSearchParams(useSearch()).get('id') ?? '';
  const { data, isPending, error } = useQuery({ ...interviewQuery(id), enabled: id !== '' });
  if (id === '' || error)
    return (
      <EmptyState title="Couldn't show the interview">
        {error?.message ?? 'Open this page from the menu of an interview.'}
      </EmptyState>
    );
  if (isPending) return <Loading isPage>Loading the interview...</Loading>;
  return data && <PrintedInterview key={id} interview={data} />;
}

function PrintedInterview({ interview }: { interview: Interview }) {
  const { id, title, funnelIdNum, processingStatus } = interview;
  const [withTranscript, setWithTranscript] = useState(false);
  const hasTranscript = interview.transcriptionStatus === 'completed';
  const funnels = useQuery(endpointQuery('/api/funnels'));
  const summary = useQuery(endpointQuery('/api/interviews/:id/summary', { params: { id } }));
  useRecordedPrinting([id]);
  const questions = processingStatus.questions.toSorted((a, b) => a.position - b.position);
  return (
    <article className="flex flex-col gap-6 print:gap-4 print:text-sm">
      <PageHead title={title} description={formatDate(interview.recordedDate)}>
        {hasTranscript && (
          <Checkbox
            label="With transcript"
            checked={withTranscript}
            onChange={(event) => setWithTranscript(event.target.checked)}
          />
        )}
      </PageHead>
      <Facts interview={interview} job={funnels.data?.find((funnel) => funnel.id === funnelIdNum)?.name ?? null} />
      <PrintedReviews interviewId={id} funnelId={funnelIdNum} />
      {summary.data?.summaryText && (
        <Part title="Summary">
          {summary.data.structure ? (
            <SummaryView structure={summary.data.structure} />
          ) : (
            <p className="break-words whitespace-pre-wrap">{summary.data.summaryText}</p>
          )}
        </Part>
      )}
      {questions.length > 0 && (
        <Part title="Questions">
          <ol className="list-decimal space-y-1 pl-5">
            {questions.map(({ question }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: fixed order; positions can repeat
              <li key={index}>
                <QuestionText markup={question} />
              </li>
            ))}
          </ol>
        </Part>
      )}
      {withTranscript && <Transcript id={id} />}
    </article>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h2 className="mb-2 border-b border-line pb-1 text-lg font-semibold break-after-avoid">{title}</h2>
    {children}
  </section>
);

function Facts({ interview, job }: { interview: Interview; job: string | null }) {
  const facts = [
    ['Candidate', interview.candidateName],
    ['Email', interview.candidateEmail],
    ['Phone', interview.candidatePhone],
    ['Job', job],
    ['Client', interview.clientName],
    ['Duration', interview.duration > 0 ? formatDuration(interview.duration) : null],
    [
      'Status',
      badgesOf(interview)
        .map((badge) => BADGE_LABELS[badge])
        .join(', '),
    ],
    ['Destination', interview.destinationId],
  ] as const;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 sm:grid-cols-[auto_1fr_auto_1fr] print:grid-cols-[auto_1fr_auto_1fr]">
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd className="break-words">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function Transcript({ id }: { id: string }) {
  const { data, isPending, error } = useQuery(endpointQuery('/api/interviews/:id/transcript', { params: { id } }));
  if (isPending) return <Loading>Loading the transcript...</Loading>;
  if (error) return <p className="text-danger-ink">{error.message}</p>;
  return (
    <Part title="Transcript">
      {data && data.segments.length > 0 ? (
        <ol className="space-y-1">
          {data.segments.map(({ startSeconds, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: fixed order; segments can repeat
            <li key={index} className="grid grid-cols-[3.5rem_1fr]">
              <span className="text-sm text-muted tabular-nums">{formatDuration(Math.floor(startSeconds))}</span>
              <span className="break-words">{text}</span>
            </li>
          ))}
        </ol>
      ) : (
        <p className="break-words whitespace-pre-wrap">{data?.transcriptionText}</p>
      )}
    </Part>
  );
}
