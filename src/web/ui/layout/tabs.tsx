import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useId,
  useLayoutEffect,
} from 'react';
import { cn } from '#web/lib/cn.ts';

interface TabsState {
  id: string;
  value: string;
  select: (value: string) => void;
  /** True when moving the focus also selects. */
  automatic: boolean;
}

const TabsContext = createContext<TabsState>({ id: '', value: '', select: () => {}, automatic: false });

interface TabsProps extends ComponentProps<'div'> {
  /** The selected tab. */
  value: string;
  onValueChange: (value: string) => void;
  /** `automatic`: the arrow keys select a tab; `manual`: they only move the focus. */
  activationMode?: 'automatic' | 'manual';
}

/**
 * Tabs by the ARIA Authoring Practices: `Tabs` around a `TabList` of `Tab`s and one `TabPanel`
 * each. Every interview card has them, and Radix's tabs take longer to render than the rest of a
 * card.
 */
export function Tabs({ value, onValueChange, activationMode = 'automatic', ...props }: TabsProps) {
  const id = useId();
  const automatic = activationMode === 'automatic';
  return (
    <TabsContext value={{ id, value, select: onValueChange, automatic }}>
      <div {...props} />
    </TabsContext>
  );
}

export function TabList({ label, className, ...props }: ComponentProps<'div'> & { label: string }) {
  return (
    <div
      role="tablist"
      aria-label={label}
      aria-orientation="horizontal"
      onKeyDown={moveFocus}
      className={cn(
        'grid max-w-full auto-cols-fr grid-flow-col gap-0.5 overflow-x-auto rounded-lg bg-sunken p-0.5',
        className,
      )}
      {...props}
    />
  );
}

const TARGETS: Record<string, (from: number, count: number) => number> = {
  ArrowLeft: (from, count) => (from + count - 1) % count,
  ArrowRight: (from, count) => (from + 1) % count,
  Home: () => 0,
  End: (_from, count) => count - 1,
};

/** The Tab key reaches the selected tab only; the arrow keys move to the others. */
function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const target = TARGETS[event.key];
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]:not(:disabled)')];
  const from = tabs.indexOf(event.target as HTMLElement);
  if (!target || from < 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  event.preventDefault();
  tabs[target(from, tabs.length)]?.focus();
}

export function Tab({ value, className, ...props }: ComponentProps<'button'> & { value: string }) {
  const tabs = useContext(TabsContext);
  const active = tabs.value === value;
  return (
    <button
      type="button"
      role="tab"
      id={`${tabs.id}-tab-${value}`}
      aria-selected={active}
      aria-controls={`${tabs.id}-panel-${value}`}
      data-state={active ? 'active' : 'inactive'}
      tabIndex={active ? 0 : -1}
      onClick={() => tabs.select(value)}
      onFocus={() => tabs.automatic && !active && tabs.select(value)}
      className={cn(
        'relative flex h-7.5 shrink-0 items-center justify-center gap-1.5 rounded-md px-1 sm:px-3.5 text-sm max-[24rem]:text-xs font-medium whitespace-nowrap text-muted transition-colors hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:bg-thumb data-[state=active]:text-ink data-[state=active]:shadow-card [&_svg]:size-3.5',
        className,
      )}
      {...props}
    />
  );
}

const FOCUSABLE = 'a[href], [tabindex="0"], :is(button, input, select, textarea):not([disabled])';

interface PanelProps extends ComponentProps<'div'> {
  value: string;
  /** Renders the panel also while another tab is selected, for `TabPanels`. */
  keepMounted?: boolean;
}

/** Empty while another tab is selected. The Tab key stops at a panel without focusable elements. */
export function TabPanel({ value, keepMounted = false, className, children, ...props }: PanelProps) {
  const tabs = useContext(TabsContext);
  const active = tabs.value === value;
  const id = `${tabs.id}-panel-${value}`;
  // After every render, because a button of the panel may have become disabled.
  useLayoutEffect(() => {
    const panel = document.getElementById(id);
    if (active && panel) panel.tabIndex = panel.querySelector(FOCUSABLE) ? -1 : 0;
  });
  return (
    <div
      role="tabpanel"
      id={id}
      aria-labelledby={`${tabs.id}-tab-${value}`}
      tabIndex={-1}
      {...(keepMounted
        ? { inert: !active, style: { visibility: active ? 'visible' : 'hidden' } }
        : { hidden: !active })}
      className={cn('rounded-md', className)}
      {...props}
    >
      {(active || keepMounted) && children}
    </div>
  );
}

/** Stacks the panels, so that all are as high as the highest and nothing moves between tabs. */
export const TabPanels = ({ children }: { children: ReactNode }) => (
  <div className="grid [&>*]:col-start-1 [&>*]:row-start-1 [&>*]:min-w-0">{children}</div>
);
