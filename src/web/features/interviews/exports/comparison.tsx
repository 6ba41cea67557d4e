import { useQueries, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import type { InterviewReviews } from '#contracts/reviews.ts';
import { EXPECTATION_FIELDS, EXPECTATION_LABELS, type SummaryStructure } from '#contracts/summaries.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatCount } from '#web/lib/format.ts';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { ComparedVideo, type PlayedMoment } from './compared-video.tsx';
import { ExpectationCell, RatingCell, RecommendationCell } from './comparison-cells.tsx';
import { PageHead } from './page-head.tsx';
import { useRecordedPrinting } from './use-recorded-printing.ts';

/** An interview with the compared data. Null while it loads, or without a structured summary. */
interface Compared {
  interview: Interview;
  structure: SummaryStructure | null;
  reviews: InterviewReviews | null;
}

const COLUMNS: Record<number, string> = {
  2: 'md:grid-cols-2 print:grid-cols-2',
  3: 'md:grid-cols-3 print:grid-cols-3',
  4: 'md:grid-cols-2 xl:grid-cols-4 print:grid-cols-4',
};

export function Comparison({ interviews }: { interviews: readonly Interview[] }) {
  const { compared, isLoading } = useCompared(interviews);
  const funnelId = interviews[0]?.funnelIdNum ?? 0;
  const funnels = useQuery(endpointQuery('/api/funnels'));
  const scorecard = useQuery(endpointQuery('/api/funnels/:id/scorecard', { params: { id: funnelId } }));
  const [played, setPlayed] = useState<PlayedMoment | null>(null);
  useRecordedPrinting(interviews.map(({ id }) => id));
  const row = (title: string, hint: string, cell: (one: Compared) => ReactNode) => (
    <Row key={title} {...{ title, hint, compared, cell }} />
  );
  const fields = EXPECTATION_FIELDS.filter((field) => compared.some((one) => expectationOf(one, field)));
  return (
    <>
      <PageHead
        title={`Compare ${formatCount(interviews.length, 'interview')}`}
        description={funnels.data?.find(({ id }) => id === funnelId)?.name ?? ''}
      />
      <div className="flex flex-col gap-5 print:gap-3 print:text-sm">
        <ul aria-label="Candidates" className={`grid gap-4 ${COLUMNS[interviews.length]}`}>
          {interviews.map((interview) => (
            <ComparedVideo
              key={interview.id}
              interview={interview}
              moment={played?.id === interview.id ? played : null}
              onPlay={(at) => setPlayed({ id: interview.id, at })}
            />
          ))}
        </ul>
        {isLoading && <Loading>Loading summaries and reviews...</Loading>}
        {fields.map((field) =>
          row(
            EXPECTATION_LABELS[field],
            compared.map((one) => expectationOf(one, field)?.expectation).find(Boolean) ?? '',
            (one) => (
              <ExpectationCell
                expectation={expectationOf(one, field)}
                candidate={nameOf(one.interview)}
                onPlay={(at) => setPlayed({ id: one.interview.id, at })}
              />
            ),
          ),
        )}
        {scorecard.data?.criteria.map(({ key, label, low, high }) =>
          row(label, low && high ? `1: ${low} · 5: ${high}` : '', ({ reviews }) => (
            <RatingCell criterion={key} reviews={reviews} />
          )),
        )}
        {row('Recommendation', '', ({ reviews }) => (
          <RecommendationCell reviews={reviews} />
        ))}
      </div>
    </>
  );
}

const nameOf = ({ candidateName, title }: Interview) => candidateName || title;

const expectationOf = ({ structure }: Compared, field: string) =>
  structure?.expectations.find((expectation) => expectation.field === field);

function useCompared(interviews: readonly Interview[]): { compared: Compared[]; isLoading: boolean } {
  const params = interviews.map(({ id }) => ({ id }));
  const summaries = useQueries({
    queries: params.map((path) => endpointQuery('/api/interviews/:id/summary', { params: path })),
  });
  const reviews = useQueries({
    queries: params.map((path) => ({
      ...endpointQuery('/api/interviews/:id/reviews', { params: path }),
      staleTime: 0,
    })),
  });
  return {
    compared: interviews.map((interview, at) => ({
      interview,
      structure: summaries[at]?.data?.structure ?? null,
      reviews: reviews[at]?.data ?? null,
    })),
    isLoading: [...summaries, ...reviews].some(({ isPending }) => isPending),
  };
}

interface RowProps {
  title: string;
  hint: string;
  compared: readonly Compared[];
  cell: (one: Compared) => ReactNode;
}

/** Narrow screens stack the cells, each with its candidate's name. */
const Row = ({ title, hint, compared, cell }: RowProps) => (
  <section aria-label={title} className="border-t border-line pt-3 break-inside-avoid">
    <h2 className="font-semibold">{title}</h2>
    {hint && <p className="text-sm break-words text-muted">{hint}</p>}
    <ul className={`mt-2 grid gap-4 ${COLUMNS[compared.length]}`}>
      {compared.map((one) => (
        <li key={one.interview.id} className="min-w-0 text-sm break-words">
          <p className="mb-0.5 font-medium text-muted md:sr-only print:sr-only">{nameOf(one.interview)}</p>
          {cell(one)}
        </li>
      ))}
    </ul>
  </section>
);
