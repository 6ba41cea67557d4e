import { useQuery } from '@tanstack/react-query';
import { ChevronDown, RefreshCcwDot } from 'lucide-react';
import { SOURCES } from '#contracts/sources.ts';
import { useActivateFunnel } from '#web/features/funnels/activate-funnel.ts';
import { cn } from '#web/lib/cn.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { DropdownMenu, MenuChoices, MenuItem, MenuNote, MenuSeparator } from '#web/ui/overlays/dropdown-menu.tsx';
import { useRefreshAll } from './refresh-actions.ts';
import { useRefreshStatus } from './refresh-status.ts';

interface Props {
  variant: 'primary' | 'secondary';
  className?: string;
}

/**
 * The second part of the Refresh button. Shows the funnel that a refresh reads, if there is room,
 * activates another one, and refreshes all.
 */
export function ActiveFunnelMenu({ variant, className }: Props) {
  const { data: funnels } = useQuery(endpointQuery('/api/funnels'));
  const activate = useActivateFunnel();
  const refreshAll = useRefreshAll();
  const isRefreshing = useRefreshStatus()?.inProgress ?? false;
  const active = funnels?.find(({ isActive }) => isActive);
  const name = active?.name ?? (funnels ? 'No active funnel' : '');
  return (
    <DropdownMenu
      className="max-h-[min(26rem,var(--radix-dropdown-menu-content-available-height))] w-64"
      trigger={
        <Button
          variant={variant}
          disabled={!funnels?.length}
          aria-label={active ? `Active funnel: ${name}` : name || 'Active funnel'}
          title={active?.name}
          className={cn('min-w-0 rounded-l-none md:justify-between px-2.5 font-normal', className)}
        >
          <span className={cn('truncate max-md:hidden', !active && 'opacity-70')}>{name}</span>
          <ChevronDown aria-hidden className="opacity-70" />
        </Button>
      }
    >
      <MenuItem
        icon={RefreshCcwDot}
        label="Refresh all jobs"
        disabled={isRefreshing || !funnels?.some(({ source }) => SOURCES[source].isRefreshed)}
        onSelect={() => refreshAll.mutate({})}
      />
      <MenuSeparator />
      <MenuChoices
        label="Active funnel"
        value={String(active?.id ?? '')}
        choices={(funnels ?? []).map((funnel) => ({ value: String(funnel.id), label: funnel.name }))}
        closes
        onChange={(id) => id !== String(active?.id) && activate.mutate({ params: { id: Number(id) } })}
      />
      <MenuNote>Changes it for everyone</MenuNote>
    </DropdownMenu>
  );
}
