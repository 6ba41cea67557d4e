import { Tabs as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '#web/lib/cn.ts';

/** `<Tabs value onValueChange><TabList label="…"><Tab value="a">A</Tab></TabList><TabPanel value="a">…</TabPanel></Tabs>` */
export const Tabs = Radix.Root;

export function TabList({ label, className, ...props }: ComponentProps<typeof Radix.List> & { label: string }) {
  return (
    <Radix.List
      aria-label={label}
      className={cn('flex max-w-full gap-0.5 overflow-x-auto rounded-lg bg-sunken p-0.5', className)}
      {...props}
    />
  );
}

export function Tab({ className, ...props }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      className={cn(
        'flex h-7.5 shrink-0 grow items-center justify-center gap-1.5 rounded-md px-2 sm:px-2.5 text-sm font-medium whitespace-nowrap text-muted transition-colors hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:bg-thumb data-[state=active]:text-ink data-[state=active]:shadow-card [&_svg]:size-3.5',
        className,
      )}
      {...props}
    />
  );
}

export function TabPanel({ className, ...props }: ComponentProps<typeof Radix.Content>) {
  return <Radix.Content className={cn('rounded-md', className)} {...props} />;
}
