import { ChevronLeft, ChevronRight } from 'lucide-react';
import { cn } from '#web/lib/cn.ts';
import { Button } from '#web/ui/button.tsx';

interface Props {
  page: number;
  pageSize: number;
  total: number;
  onPage: (page: number) => void;
  className?: string;
}

/** Walks pages one by one: `Page N of M`. At an end the button stays, so that it keeps the focus. */
export function PageOf({ page, pageSize, total, onPage, className }: Props) {
  const pages = Math.max(1, Math.ceil(total / pageSize));
  return (
    <nav aria-label="Pagination" className={cn('flex items-center justify-end gap-2', className)}>
      <Button size="sm" aria-disabled={page <= 1} onClick={() => page > 1 && onPage(Math.min(page, pages + 1) - 1)}>
        <ChevronLeft aria-hidden />
        Previous
      </Button>
      <span role="status" className="px-2 text-sm text-muted">
        Page {page} of {pages}
      </span>
      <Button size="sm" aria-disabled={page >= pages} onClick={() => page < pages && onPage(page + 1)}>
        Next
        <ChevronRight aria-hidden />
      </Button>
    </nav>
  );
}
