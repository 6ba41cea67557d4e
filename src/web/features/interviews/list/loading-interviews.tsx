import { Skeleton, Spinner } from '#web/ui/feedback/loading.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import type { Layout } from './layout-toggle.tsx';

/**
 * Section 2 of the specification: one column on small screens, two on medium and large, three on
 * extra-large.
 */
export const INTERVIEW_GRID = 'grid grid-cols-1 gap-4 md:grid-cols-2 md:gap-5 xl:grid-cols-3';

const PLACES = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

/** Placeholders have the size of the interviews, so that nothing moves when those arrive. */
export const LoadingInterviews = ({ layout }: { layout: Layout }) => (
  <div className="relative">
    <p role="status" className="absolute inset-x-0 top-4 z-10 flex justify-center text-sm text-muted">
      <span className="flex items-center gap-2 rounded-full bg-raised px-3 py-1.5 shadow-pop">
        <Spinner />
        Loading interviews...
      </span>
    </p>
    {layout === 'cards' ? (
      <div className={INTERVIEW_GRID}>
        {PLACES.map((place) => (
          <CardSkeleton key={place} />
        ))}
      </div>
    ) : (
      <Card className="divide-y divide-line">
        {PLACES.map((place) => (
          <RowSkeleton key={place} />
        ))}
      </Card>
    )}
  </div>
);

const CardSkeleton = () => (
  <Card className="overflow-hidden">
    <Skeleton className="aspect-video w-full rounded-none" />
    <div className="flex flex-col gap-2.5 p-4">
      <Skeleton className="h-6 w-4/5" />
      <Skeleton className="h-5.5 w-2/5" />
      <Skeleton className="h-5.5 w-3/5" />
      <Skeleton className="h-5.5 w-1/2" />
      <Skeleton className="h-5 w-2/3" />
      <Skeleton className="h-5 w-1/2" />
      <Skeleton className="h-5 w-2/5" />
      <Skeleton className="h-5 w-3/5" />
      <Skeleton className="h-9 w-full max-md:h-11" />
      <Skeleton className="h-9 w-1/3 max-md:h-11" />
    </div>
  </Card>
);

const RowSkeleton = () => (
  <div className="flex items-center gap-4 px-4 py-3">
    <Skeleton className="aspect-video w-28 shrink-0" />
    <div className="flex grow flex-col gap-2">
      <Skeleton className="h-4 w-2/5" />
      <Skeleton className="h-4 w-1/4" />
    </div>
  </div>
);
