import { cn } from '#web/lib/cn.ts';

interface Props {
  label: string;
  /** 0 to 100. */
  percent: number;
  className?: string;
}

export function Progress({ label, percent, className }: Props) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className={cn('bordered h-1.5 overflow-hidden rounded-full bg-sunken', className)}
    >
      <div
        className="keep-color h-full rounded-full bg-accent transition-[width] duration-300"
        // The width varies, so it cannot be a class.
        style={{ width: `${percent}%` }}
      />
    </div>
  );
}
