import { cn } from '#web/lib/cn.ts';

/** The first letter of a name in a circle. */
export function Avatar({ name, className }: { name: string; className?: string }) {
  return (
    <span
      aria-hidden
      className={cn(
        'grid size-8 shrink-0 place-items-center rounded-full bg-sunken text-sm font-semibold text-muted uppercase',
        className,
      )}
    >
      {name.slice(0, 1)}
    </span>
  );
}
