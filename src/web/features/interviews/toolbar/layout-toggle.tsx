import { LayoutGrid, List } from 'lucide-react';
import type { Layout } from '#web/features/interviews/layout.ts';
import { cn } from '#web/lib/cn.ts';

const CHOICES = [
  { layout: 'cards', label: 'Cards', Icon: LayoutGrid },
  { layout: 'compact', label: 'Compact', Icon: List },
] as const satisfies { layout: Layout; label: string; Icon: typeof List }[];

export function LayoutToggle({ layout, onChange }: { layout: Layout; onChange: (layout: Layout) => void }) {
  return (
    <fieldset className="flex gap-0.5 rounded-lg bg-sunken p-0.5">
      <legend className="sr-only">Layout</legend>
      {CHOICES.map((choice) => (
        <button
          key={choice.layout}
          type="button"
          aria-pressed={choice.layout === layout}
          aria-label={choice.label}
          title={choice.label}
          onClick={() => onChange(choice.layout)}
          className={cn(
            'grid size-8 place-items-center rounded-md text-muted hover:text-ink',
            choice.layout === layout && 'bg-raised text-ink shadow-card',
          )}
        >
          <choice.Icon aria-hidden className="size-4" />
        </button>
      ))}
    </fieldset>
  );
}
