import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { cn } from '#web/lib/cn.ts';

interface Props {
  id: string;
  isChosen: boolean;
  /** The pointer is over an option that is not chosen. */
  onPoint: () => void;
  onPick: () => void;
  className?: string;
  children: ReactNode;
}

/** An option of a combobox, whose field keeps the focus and handles the keys. */
export function ListOption({ id, isChosen, onPoint, onPick, className, children }: Props) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys of its list
    <div
      ref={element}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      // Keeps the focus in the field.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPick}
      onPointerMove={() => isChosen || onPoint()}
      className={cn(
        'cursor-default rounded-md px-2 py-1.5 max-md:min-h-11',
        isChosen && 'bg-hover -outline-offset-2 outline-transparent forced-colors:outline-2',
        className,
      )}
    >
      {children}
    </div>
  );
}

/**
 * The chosen option of a combobox with `count` options, by the pattern of the ARIA Authoring
 * Practices.
 */
export function useChosenOption(count: number) {
  const id = useId();
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, count - 1);
  return {
    at,
    listId: `${id}-list`,
    /** For `aria-activedescendant`. */
    activeId: count > 0 ? `${id}-${at}` : undefined,
    choose: setChosen,
    /** Moves the choice if the key is an arrow up or down, and wraps around. Else returns false. */
    move: ({ key }: KeyboardEvent): boolean => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[key];
      if (step && count > 0) setChosen((at + step + count) % count);
      return step !== undefined;
    },
    propsOf: (index: number) => ({
      id: `${id}-${index}`,
      isChosen: index === at,
      onPoint: () => setChosen(index),
    }),
  };
}
