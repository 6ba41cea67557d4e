import { Card } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** As many as a page has entries. */
const PLACES = ['1st', '2nd', '3rd', '4th', '5th', '6th', '7th', '8th', '9th', '10th'];

/** Rows as tall as the entries will be. */
export const LoadingLogs = () => (
  <>
    <p role="status" className="sr-only">
      Loading logs...
    </p>
    <Card className="divide-y divide-line overflow-hidden">
      <div className="h-10 max-lg:hidden" />
      {PLACES.map((place) => (
        <RowSkeleton key={place} />
      ))}
    </Card>
  </>
);

const RowSkeleton = () => (
  <div className="flex h-30 flex-col justify-center gap-3 px-4 sm:h-22 lg:h-11.5 lg:flex-row lg:items-center lg:justify-start lg:gap-10">
    <Skeleton className="h-4 w-40 shrink-0" />
    <Skeleton className="h-4 w-20 shrink-0 max-lg:hidden" />
    <Skeleton className="h-4 w-4/5 lg:w-1/2" />
  </div>
);
