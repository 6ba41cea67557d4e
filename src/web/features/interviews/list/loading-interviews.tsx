import type { Layout } from '#web/features/interviews/layout.ts';
import { INTERVIEW_GRID } from '#web/features/interviews/list/interview-grid.ts';
import { Card } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Spinner } from '#web/ui/spinner.tsx';

const PLACES = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

export const LoadingInterviews = ({ layout }: { layout: Layout }) => (
  <>
    <p role="status" className="mb-4 flex items-center gap-2 text-sm text-muted">
      <Spinner />
      Loading interviews...
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
  </>
);

const CardSkeleton = () => (
  <Card className="overflow-hidden">
    <Skeleton className="aspect-video w-full rounded-none" />
    <div className="flex flex-col gap-3 p-4">
      <Skeleton className="h-5 w-4/5" />
      <Skeleton className="h-5 w-2/5" />
      <Skeleton className="mt-3 h-4 w-3/5" />
      <Skeleton className="h-4 w-1/2" />
      <Skeleton className="h-4 w-2/5" />
      <Skeleton className="mt-4 h-8 w-full" />
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
