import { cn } from '#web/lib/cn.ts';

/** Hidden from screen readers, because the name of the product is always next to it. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className={cn('size-7 shrink-0', className)}>
      <rect width="32" height="32" rx="9" className="fill-accent" />
      <path
        d="M8 9.5A2.5 2.5 0 0 1 10.5 7h11A2.5 2.5 0 0 1 24 9.5v9a2.5 2.5 0 0 1-2.5 2.5H15l-4.6 3.7a.7.7 0 0 1-1.1-.6V20.7A2.5 2.5 0 0 1 8 18.5z"
        className="fill-white"
      />
      <path d="M14 11.2v5.6a.6.6 0 0 0 .9.5l4.7-2.8a.6.6 0 0 0 0-1l-4.7-2.8a.6.6 0 0 0-.9.5z" className="fill-accent" />
    </svg>
  );
}
