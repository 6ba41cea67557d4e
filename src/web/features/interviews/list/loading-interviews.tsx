import type { Layout } from '#web/features/interviews/layout.ts';
import { INTERVIEW_GRID } from '#web/features/interviews/list/interview-grid.ts';
import { Card } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Spinner } from '#web/ui/spinner.tsx';

const PLACES = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

/** The sentence lies over the places, which are as large as what takes them: nothing moves when it comes. */
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
