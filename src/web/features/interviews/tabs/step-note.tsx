import { TriangleAlert } from 'lucide-react';

/** Why a step failed the last time, beside the button that tries again. */
export function StepNote({ error }: { error: string | undefined }) {
  const text = error ?? 'The last attempt failed.';
  return (
    <p title={text} className="flex min-w-0 items-center gap-1.5 text-sm text-danger-ink">
      <TriangleAlert aria-hidden className="size-3.5 shrink-0" />
      <span className="line-clamp-2">{text}</span>
    </p>
  );
}
