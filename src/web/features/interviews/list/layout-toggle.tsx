import { LayoutGrid, List } from 'lucide-react';
import { navigate, useSearch } from 'wouter/use-browser-location';
import { cn } from '#web/lib/cn.ts';
import { urlWith } from '#web/lib/use-url-filters.ts';

const STORAGE_KEY = 'interviews-layout';

export const LAYOUT_CHOICES = [
  { layout: 'cards', label: 'Cards', Icon: LayoutGrid },
  { layout: 'compact', label: 'Compact', Icon: List },
] as const;
export type Layout = (typeof LAYOUT_CHOICES)[number]['layout'];

export const asLayout = (text: string | null) => LAYOUT_CHOICES.find(({ layout }) => layout === text)?.layout;

/** The layout in the URL takes precedence over the one stored in this browser. */
export function useLayout(): [Layout, (layout: Layout) => void] {
  const params = new URLSearchParams(useSearch());
  const layout = asLayout(params.get('layout')) ?? asLayout(localStorage.getItem(STORAGE_KEY)) ?? 'cards';
  const setLayout = (next: Layout) => {
    localStorage.setItem(STORAGE_KEY, next);
    const search = new URLSearchParams(location.search);
    search.set('layout', next);
    navigate(urlWith(search), { replace: true });
  };
  return [layout, setLayout];
}

export function LayoutToggle({ layout, onChange }: { layout: Layout; onChange: (layout: Layout) => void }) {
  return (
    <fieldset className="flex gap-0.5 rounded-lg bg-sunken p-0.5">
      <legend className="sr-only">Layout</legend>
      {LAYOUT_CHOICES.map((choice) => (
        <button
          key={choice.layout}
          type="button"
          aria-pressed={choice.layout === layout}
          aria-label={choice.label}
          data-command={`${choice.label} layout`}
          title={choice.label}
          onClick={() => onChange(choice.layout)}
          className={cn(
            'grid size-8 place-items-center rounded-md text-muted hover:text-ink',
            choice.layout === layout && 'bg-thumb text-ink shadow-card',
          )}
        >
          <choice.Icon aria-hidden className="size-4" />
        </button>
      ))}
    </fieldset>
  );
}
