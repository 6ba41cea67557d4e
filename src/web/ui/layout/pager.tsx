import { ChevronLeft, ChevronRight, Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { pageWindow } from './page-numbers.ts';

interface Props {
  page: number;
  pageSize: number;
  total: number;
  onPage: (page: number) => void;
  /** Shows `page / total` instead of the numbers. */
  compact?: boolean;
  className?: string;
}

/** The results of a list and its page numbers, if there are several. Empty for an empty list. */
export function Pager({ page, pageSize, total, onPage, compact = false, className }: Props) {
  if (total === 0) return null;
  const pages = Math.ceil(total / pageSize);
  const first = Math.min((page - 1) * pageSize + 1, total);
  const step = (to: number, label: string, Icon: typeof ChevronLeft) => (
    <Button
      variant="ghost"
      size="icon-sm"
      aria-label={label}
      // `disabled` would lose the focus on the last page.
      aria-disabled={to < 1 || to > pages}
      onClick={() => to >= 1 && to <= pages && onPage(to)}
    >
      <Icon aria-hidden />
    </Button>
  );

  return (
    <div className={cn('flex flex-wrap items-center justify-between gap-x-6 gap-y-2 max-sm:gap-x-0.5', className)}>
      <p role="status" className="mr-auto text-sm text-muted tabular-nums">
        Showing {first} to {Math.min(page * pageSize, total)} of {total} results
      </p>
      {pages > 1 && (
        // Phones have no room for all numbers between the arrows: these follow the results.
        <nav
          aria-label="Pagination"
          className={cn('flex flex-wrap items-center gap-0.5', !compact && 'max-sm:contents')}
        >
          {step(page - 1, 'Previous page', ChevronLeft)}
          {compact ? (
            <span className="px-2 text-sm text-muted tabular-nums">
              {page} / {pages}
            </span>
          ) : (
            <div className="flex gap-0.5 max-sm:order-1 max-sm:w-full">
              <PageNumbers page={page} pages={pages} onPage={onPage} />
            </div>
          )}
          {step(page + 1, 'Next page', ChevronRight)}
        </nav>
      )}
    </div>
  );
}

function PageNumbers({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }) {
  return pageWindow(page, pages).map((item, index) =>
    item === 'gap' ? (
      <span
        key={index === 1 ? 'gap before' : 'gap after'}
        aria-hidden
        className="grid w-6 shrink-0 place-items-center text-faint max-sm:w-4"
      >
        <Ellipsis className="size-4" />
      </span>
    ) : (
      <Button
        key={item}
        variant="ghost"
        size="sm"
        aria-label={`Page ${item}`}
        aria-current={item === page ? 'page' : undefined}
        onClick={() => onPage(item)}
        className={cn(
          'min-w-7.5 px-1.5 tabular-nums max-md:min-w-11 max-sm:max-w-12 max-sm:min-w-9 max-sm:grow max-sm:basis-0',
          item === page && 'bg-hover text-ink',
        )}
      >
        {item}
      </Button>
    ),
  );
}

interface PagedProps<Row> extends Pick<Props, 'page' | 'pageSize' | 'onPage'> {
  rows: readonly Row[];
  children: (shown: Row[]) => ReactNode;
}

/** A page of rows that are all loaded, and its pager. */
export function Paged<Row>({ rows, page, pageSize, onPage, children }: PagedProps<Row>) {
  // The last page can disappear when a row is deleted.
  const shown = Math.min(page, Math.ceil(rows.length / pageSize));
  return (
    <>
      {children(rows.slice((shown - 1) * pageSize, shown * pageSize))}
      <Pager page={shown} pageSize={pageSize} total={rows.length} onPage={onPage} className="mt-6" />
    </>
  );
}

/** Previous and Next around `Page N of M`. The buttons keep the focus at either end. */
export function PageOf({ page, pageSize, total, onPage, className }: Omit<Props, 'compact'>) {
  const pages = Math.max(1, Math.ceil(total / pageSize));
  return (
    <nav aria-label="Pagination" className={cn('flex items-center justify-end gap-2', className)}>
      <Button size="sm" aria-disabled={page <= 1} onClick={() => page > 1 && onPage(Math.min(page, pages + 1) - 1)}>
        <ChevronLeft aria-hidden />
        Previous
      </Button>
      <span role="status" className="px-2 text-sm text-muted tabular-nums">
        Page {page} of {pages}
      </span>
      <Button size="sm" aria-disabled={page >= pages} onClick={() => page < pages && onPage(page + 1)}>
        Next
        <ChevronRight aria-hidden />
      </Button>
    </nav>
  );
}
