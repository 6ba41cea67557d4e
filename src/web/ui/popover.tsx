import { Slot } from 'radix-ui';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';

// Placing a panel beside its button takes as much code as a page: it loads with the first one that is opened.
const loadPanel = () => import('#web/ui/popover-panel.tsx');
const PopoverPanel = lazy(() => loadPanel().then((m) => ({ default: m.PopoverPanel })));

interface Props {
  /** One button-like element. */
  trigger: ReactNode;
  /** What the panel is, for screen readers. */
  label: string;
  children: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  align?: 'start' | 'center' | 'end';
  className?: string;
}

/** A panel on a button, for what is more than a menu. */
export function Popover({ trigger, open: controlled, onOpenChange, ...panel }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const [own, setOwn] = useState(false);
  const open = controlled ?? own;
  const show = (next: boolean) => {
    setOwn(next);
    onOpenChange?.(next);
  };

  return (
    <>
      <Slot.Root
        ref={button}
        aria-haspopup="dialog"
        aria-expanded={open}
        data-state={open ? 'open' : 'closed'}
        onPointerEnter={loadPanel}
        onClick={() => show(!open)}
      >
        {trigger}
      </Slot.Root>
      <Suspense>{open && <PopoverPanel anchor={button} onClose={() => show(false)} {...panel} />}</Suspense>
    </>
  );
}
