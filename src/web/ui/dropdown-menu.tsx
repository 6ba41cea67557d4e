import { Slot } from 'radix-ui';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';

// Menus take as much code as a page: it loads with the first one that is opened.
const loadPanel = () => import('#web/ui/menu-panel.tsx');
const MenuPanel = lazy(() => loadPanel().then((m) => ({ default: m.MenuPanel })));

/** An action, or with `asChild` a link. */
export const MenuItem = lazy(() => loadPanel().then((m) => ({ default: m.MenuItem })));
/** One of several choices inside a menu; the menu stays open. */
export const MenuChoices = lazy(() => loadPanel().then((m) => ({ default: m.MenuChoices })));
export const MenuSeparator = lazy(() => loadPanel().then((m) => ({ default: m.MenuSeparator })));

interface Props {
  /** One button-like element. */
  trigger: ReactNode;
  /** `MenuItem`, `MenuChoices`, `MenuSeparator`. */
  children: ReactNode;
  align?: 'start' | 'center' | 'end';
  className?: string;
}

/** A menu of actions or links on a button. */
export function DropdownMenu({ trigger, children, align = 'end', className }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  return (
    <span className="relative inline-flex">
      <Slot.Root
        ref={button}
        aria-haspopup="menu"
        aria-expanded={open}
        data-state={open ? 'open' : 'closed'}
        onPointerEnter={loadPanel}
        onFocus={loadPanel}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {trigger}
      </Slot.Root>
      <Suspense>
        {open && (
          <MenuPanel button={button} align={align} className={className} onClose={() => setOpen(false)}>
            {children}
          </MenuPanel>
        )}
      </Suspense>
    </span>
  );
}
