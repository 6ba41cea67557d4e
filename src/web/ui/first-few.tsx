import { type ReactNode, useState } from 'react';
import { Button } from '#web/ui/button.tsx';

const FEW = 10;

interface Props<Item> {
  items: readonly Item[];
  children: (shown: readonly Item[]) => ReactNode;
}

/** A list that may be long: its first ten, and a button that shows the rest. */
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
