import { type ReactNode, useState } from 'react';
import { cn } from '#web/lib/cn.ts';
import { Button } from '#web/ui/forms/button.tsx';

const LONG = 160;
const LINES = 3;

/** Text with line breaks. Long text is cut to three lines, with a button that shows all. */
export function LongText({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  const isLong = text.length > LONG || text.split('\n').length > LINES;
  return (
    <>
      <span className={cn('block whitespace-pre-wrap wrap-anywhere', isLong && !whole && 'line-clamp-3')}>{text}</span>
      {isLong && (
        <Button
          variant="link"
          aria-expanded={whole}
          onClick={() => setWhole(!whole)}
          className="mt-1 font-sans text-sm"
        >
          {whole ? 'Show less' : 'Show all'}
        </Button>
      )}
    </>
  );
}

const FEW = 10;

interface Props<Item> {
  items: readonly Item[];
  children: (shown: readonly Item[]) => ReactNode;
}

/** The first ten items of a list, with a button that shows all. */
export function FirstFew<Item>({ items, children }: Props<Item>) {
  const [all, setAll] = useState(false);
  return (
    <>
      {children(all ? items : items.slice(0, FEW))}
      {items.length > FEW && (
        <Button size="sm" aria-expanded={all} onClick={() => setAll(!all)} className="mt-2.5">
          {all ? `Show the first ${FEW}` : `Show all ${items.length}`}
        </Button>
      )}
    </>
  );
}
