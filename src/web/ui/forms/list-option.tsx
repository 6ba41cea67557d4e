import { type ReactNode, useEffect, useRef } from 'react';
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
