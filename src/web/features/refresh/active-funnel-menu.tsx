import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useActivateFunnel } from '#web/features/funnels/funnel-actions.ts';
import { cn } from '#web/lib/cn.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { DropdownMenu, MenuChoices } from '#web/ui/overlays/dropdown-menu.tsx';

/** Names the funnel that a refresh reads, and activates another one. Its width is fixed. */
export function ActiveFunnelMenu({ className }: { className?: string }) {
  const { data: funnels } = useQuery(endpointQuery('/api/funnels'));
  const activate = useActivateFunnel();
  const active = funnels?.find(({ isActive }) => isActive);
  const name = active?.name ?? (funnels ? 'No active funnel' : '');
  return (
    <DropdownMenu
      className="max-h-[min(20rem,var(--radix-dropdown-menu-content-available-height))] max-w-72"
      trigger={
        <Button
          disabled={!funnels?.length}
          aria-label={active ? `Active funnel: ${name}` : name || 'Active funnel'}
          title={active?.name}
          className={cn('min-w-0 justify-between font-normal px-3', className)}
        >
          <span className={cn('truncate', !active && 'text-muted')}>{name}</span>
          <ChevronDown aria-hidden className="text-faint" />
        </Button>
      }
    >
      <MenuChoices
        label="Active funnel"
        value={String(active?.id ?? '')}
        choices={(funnels ?? []).map((funnel) => ({ value: String(funnel.id), label: funnel.name }))}
        closes
        onChange={(id) => id !== String(active?.id) && activate.mutate({ params: { id: Number(id) } })}
      />
    </DropdownMenu>
  );
}
