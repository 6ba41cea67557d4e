import { type ComponentProps, createContext, type KeyboardEvent, useContext, useId, useState } from 'react';
import { cn } from '#web/lib/cn.ts';

interface Chosen {
  id: string;
  value: string;
  choose: (value: string) => void;
  /** Whether the focus alone chooses. */
  automatic: boolean;
}

const TabsContext = createContext<Chosen>({ id: '', value: '', choose: () => {}, automatic: false });

interface TabsProps extends Omit<ComponentProps<'div'>, 'defaultValue'> {
  /** The tab that is open at first, where nobody else keeps which one is. */
  defaultValue?: string;
  value?: string;
  onValueChange?: (value: string) => void;
  /** `automatic`: the arrow keys choose what they reach; `manual`: they only move the focus. */
  activationMode?: 'automatic' | 'manual';
}

/**
 * `<Tabs value onValueChange><TabList label="…"><Tab value="a">A</Tab></TabList><TabPanel value="a">…</TabPanel></Tabs>`, as the tabs
 * pattern of the ARIA Authoring Practices has it. Our own: every card has them, and those of Radix take longer than all else on a card.
 */
export function Tabs({ defaultValue = '', value, onValueChange, activationMode = 'automatic', ...props }: TabsProps) {
  const id = useId();
  const [own, setOwn] = useState(defaultValue);
  const automatic = activationMode === 'automatic';
  return (
    <TabsContext value={{ id, value: value ?? own, choose: onValueChange ?? setOwn, automatic }}>
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
      onKeyDown={walk}
      className={cn('flex max-w-full gap-0.5 overflow-x-auto rounded-lg bg-sunken p-0.5', className)}
      {...props}
    />
  );
}

const STEP: Record<string, (from: number, count: number) => number> = {
  ArrowLeft: (from, count) => (from + count - 1) % count,
  ArrowRight: (from, count) => (from + 1) % count,
  Home: () => 0,
  End: (_from, count) => count - 1,
};

/** Only the chosen tab is reached by the Tab key; the arrows lead to the others. */
function walk(event: KeyboardEvent<HTMLDivElement>): void {
  const step = STEP[event.key];
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]:not(:disabled)')];
  const from = tabs.indexOf(event.target as HTMLElement);
  if (!step || from < 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  event.preventDefault();
  tabs[step(from, tabs.length)]?.focus();
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
      onClick={() => tabs.choose(value)}
      onFocus={() => tabs.automatic && !active && tabs.choose(value)}
      className={cn(
        'flex h-7.5 shrink-0 grow items-center justify-center gap-1.5 rounded-md px-2 sm:px-2.5 text-sm font-medium whitespace-nowrap text-muted transition-colors hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:bg-thumb data-[state=active]:text-ink data-[state=active]:shadow-card [&_svg]:size-3.5',
        className,
      )}
      {...props}
    />
  );
}

/** Empty while another tab is chosen. */
export function TabPanel({ value, className, children, ...props }: ComponentProps<'div'> & { value: string }) {
  const tabs = useContext(TabsContext);
  const active = tabs.value === value;
  return (
    <div
      role="tabpanel"
      id={`${tabs.id}-panel-${value}`}
      aria-labelledby={`${tabs.id}-tab-${value}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the pattern has the panel follow its tab in the order of the Tab key
      tabIndex={0}
      hidden={!active}
      className={cn('rounded-md', className)}
      {...props}
    >
      {active && children}
    </div>
  );
}
