import { useState } from 'react';
import { cn } from '#web/lib/cn.ts';
import { Button } from '#web/ui/button.tsx';

const LONG = 160;
const LINES = 3;

/** Text of any length with its own line breaks: of a long one the first lines, and a button that shows all of it. */
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
