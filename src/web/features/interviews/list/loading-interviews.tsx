import { LoadingPlaceholders, Skeleton } from '#web/ui/feedback/loading.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { CompactHeads } from './compact-heads.tsx';
import type { Layout } from './layout-toggle.tsx';

/**
 * Section 2 of the specification: one column on small screens, two on medium and large, three on
 * extra-large.
 */
export const INTERVIEW_GRID = '-mb-4 grid grid-cols-1 gap-x-5 md:-mb-5 md:grid-cols-2 xl:grid-cols-3';

const PLACES = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

/**
 * Placeholders have the size of interviews, so that neither they nor the footer move when the
 * interviews arrive.
 */
export const LoadingInterviews = ({ layout }: { layout: Layout }) => (
  <div data-page-loading className="relative">
    <LoadingPlaceholders>Loading interviews...</LoadingPlaceholders>
    {layout === 'cards' ? (
      <div className={INTERVIEW_GRID}>
        {PLACES.map((place) => (
          <CardSkeleton key={place} />
        ))}
      </div>
    ) : (
      <>
        <CompactHeads />
        <Card className="divide-y divide-line">
          {PLACES.map((place) => (
            <RowSkeleton key={place} />
          ))}
        </Card>
      </>
    )}
  </div>
);

const CardSkeleton = () => (
  <Card className="mb-4 overflow-hidden md:mb-5">
    <div className="flex gap-3 px-3.5 pt-3.5">
      <Skeleton className="h-18 w-32 shrink-0 max-sm:w-28" />
      <div className="grow">
        <Skeleton className="h-5.5 w-3/5" />
        <Skeleton className="mt-1 h-4.5 w-4/5" />
      </div>
    </div>
    <div className="flex flex-col gap-1 px-3.5 pt-2 pb-1.5">
      <Skeleton className="h-5.5 w-3/5" />
      <Skeleton className="h-4.5 w-1/2" />
      <Skeleton className="h-9 w-11/12" />
      <Skeleton className="mt-1 h-8 w-full max-xl:h-11" />
      <Skeleton className="mt-2 mb-6 h-7.5 w-2/5 max-md:mb-5 max-md:h-11" />
    </div>
  </Card>
);

const RowSkeleton = () => (
  <div className="box-content flex h-13 items-center gap-4 pr-4 pl-9 max-md:h-18.5 max-md:pl-11">
    <Skeleton className="h-9 w-16 shrink-0" />
    <Skeleton className="h-4 w-2/5" />
    <Skeleton className="ml-auto h-4 w-1/4" />
  </div>
);
