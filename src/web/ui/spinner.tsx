import { LoaderCircle } from 'lucide-react';
import { cn } from '#web/lib/cn.ts';

/** Turns while something runs. With a `label` it speaks for itself; without one the text beside it does. */
export function Spinner({ label, className }: { label?: string; className?: string }) {
  const icon = <LoaderCircle aria-hidden className={cn('size-4 animate-spin', className)} />;
  if (!label) return icon;
  return (
    <span role="status">
      {icon}
      <span className="sr-only">{label}</span>
    </span>
  );
}
