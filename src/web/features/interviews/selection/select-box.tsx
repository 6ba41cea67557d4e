import type { ChangeEvent } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { cn } from '#web/lib/cn.ts';
import { Checkbox } from '#web/ui/forms/checkbox.tsx';
import { listedIds } from './select-with-keys.ts';
import { selectTo, toggleSelected, useHasSelection, useIsSelected } from './selection.ts';

interface Props {
  interview: Interview;
  /** Places the box to the left of a row instead of in a corner of the picture. */
  compact?: boolean;
}

/**
 * Selects an interview for an action on many. Render it in the list item, which must be positioned.
 * It appears on hover and focus; while something is selected, and on touch screens, it is always
 * visible.
 */
export function SelectBox({ interview: { id, title }, compact = false }: Props) {
  const isSelected = useIsSelected(id);
  const hasSelection = useHasSelection();
  const change = ({ currentTarget, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
    const select = (nativeEvent as MouseEvent).shiftKey ? selectTo : toggleSelected;
    select(id, listedIds(currentTarget));
  };
  return (
    <Checkbox
      label={<span className="sr-only">Select {title}</span>}
      data-select={id}
      checked={isSelected}
      onChange={change}
      className={cn(
        'absolute z-10 p-1.5 transition-opacity duration-100 max-md:p-3.5',
        compact ? 'top-3 left-1 max-md:top-1.5 max-md:left-0' : 'top-4.5 left-4.5 rounded-md bg-surface/90 shadow-card',
        'opacity-0 focus-within:opacity-100 [@media(hover:none)]:opacity-100 [li:hover>&]:opacity-100',
        hasSelection && 'opacity-100',
      )}
    />
  );
}
