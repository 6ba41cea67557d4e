import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { SOURCES } from '#contracts/sources.ts';
import { hrefOf, LINKS, useVisibleLinks } from '#web/app/navigation.ts';
import { useActivateFunnel } from '#web/features/funnels/activate-funnel.ts';
import { useRefreshAll, useStartRefresh } from '#web/features/refresh/refresh-actions.ts';
import { useRefreshStatus } from '#web/features/refresh/refresh-status.ts';
import { dashboardUrl } from '#web/lib/dashboard-place.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { useMay } from '#web/lib/may.ts';
import { setTheme, THEME_CHOICES } from '#web/lib/theme.ts';
import { afterGoingBack, openDialog, useDialog } from '#web/lib/use-dialog.ts';

export interface Command {
  id: string;
  group: string;
  label: string;
  /** Shown after the label, in muted text. */
  hint?: string | undefined;
  run: () => void;
}

type AfterClosing = (run: () => void) => () => void;

/** Everything that the palette can do, apart from opening candidates. */
export function useCommands(close: () => void): Command[] {
  const [location, navigate] = useLocation();
  const { open } = useDialog(['shortcuts']);
  const links = useVisibleLinks(LINKS);
  const { data: views } = useQuery(endpointQuery('/api/saved-views'));
  const afterClosing: AfterClosing = (run) => () => {
    close();
    afterGoingBack(run);
  };
  const refreshCommands = useRefreshCommands(afterClosing);
  const funnelCommands = useFunnelCommands(afterClosing);
  return [
    ...links.map(({ path, label }) => ({
      id: `page-${path}`,
      group: 'Go to',
      label,
      // Replaces the entry of the palette, so that Back returns to the page below it.
      run: () => navigate(hrefOf(path, location), { replace: true }),
    })),
    ...pageCommands(afterClosing),
    {
      id: 'answers',
      group: 'Review',
      label: 'Review answer by answer',
      run: afterClosing(() => {
        if (location !== '/') navigate(dashboardUrl());
        openDialog({ name: 'answers' });
      }),
    },
    ...refreshCommands,
    ...(views ?? []).map(({ id, name, query }) => ({
      id: `view-${id}`,
      group: 'Views',
      label: name,
      run: () => navigate(`/?${query}`, { replace: true }),
    })),
    ...funnelCommands,
    ...THEME_CHOICES.map(({ value, label }) => ({
      id: `theme-${value}`,
      group: 'Theme',
      label: `${label} theme`,
      run: afterClosing(() => setTheme(value)),
    })),
    { id: 'shortcuts', group: 'Help', label: 'Keyboard shortcuts', run: () => open('shortcuts') },
  ];
}

/** None while a refresh is in progress, and for users who may not refresh. */
function useRefreshCommands(afterClosing: AfterClosing): Command[] {
  const { data: funnels } = useQuery(endpointQuery('/api/funnels'));
  const mayRefresh = useMay()('GET /api/interviews/sync');
  const start = useStartRefresh({ onDone: () => {} });
  const refreshAll = useRefreshAll();
  const isRefreshing = useRefreshStatus()?.inProgress ?? false;
  const refreshed = (funnels ?? []).filter(({ source }) => SOURCES[source].isRefreshed);
  if (!mayRefresh || isRefreshing || refreshed.length === 0) return [];
  const command = (id: string, label: string, run: () => void): Command => ({
    id: `refresh-${id}`,
    group: 'Refresh',
    label,
    run: afterClosing(run),
  });
  const active = refreshed.find(({ isActive }) => isActive);
  const refresh = (timeframe: 'all' | 'future', label: string): Command => ({
    ...command(timeframe, label, () => start.mutate({ query: { timeframe } })),
    hint: active?.name,
  });
  return [
    ...(active ? [refresh('all', 'Refresh all interviews'), refresh('future', 'Refresh new interviews only')] : []),
    command('all-jobs', 'Refresh all jobs', () => refreshAll.mutate({})),
  ];
}

function useFunnelCommands(afterClosing: AfterClosing): Command[] {
  const [, navigate] = useLocation();
  const { data: funnels } = useQuery(endpointQuery('/api/funnels'));
  const activate = useActivateFunnel();
  const may = useMay();
  const inactive = may('POST /api/funnels/:id/activate') ? (funnels ?? []).filter(({ isActive }) => !isActive) : [];
  const create: Command = {
    id: 'add-funnel',
    group: 'Funnels',
    label: 'Add New Funnel',
    run: () => navigate('/funnels?dialog=create-funnel', { replace: true }),
  };
  return [
    ...(may('POST /api/funnels') ? [create] : []),
    ...inactive.map(({ id, name, clientName }) => ({
      id: `funnel-${id}`,
      group: 'Set the active funnel',
      label: name,
      hint: clientName ?? undefined,
      run: afterClosing(() => activate.mutate({ params: { id } })),
    })),
  ];
}

/**
 * The actions that the page currently offers, including ones for selected interviews: buttons with
 * `data-command`, and the options of such selects. Running one presses its button or selects the
 * option. A button that opens a panel must be visible, because the panel is placed next to it.
 */
function pageCommands(afterClosing: (run: () => void) => () => void): Command[] {
  const controls = [...document.querySelectorAll<HTMLElement>('main [data-command]:not(:disabled)')];
  return controls.filter(canRun).flatMap((control) => {
    const command = (label: string, run: () => void): Command => ({
      id: `action-${label}`,
      group: control.closest('[data-bulk-bar]') ? 'Selected interviews' : 'This page',
      label,
      run: afterClosing(run),
    });
    const name = control.dataset.command ?? '';
    if (!(control instanceof HTMLSelectElement)) return command(name, () => control.click());
    return [...control.options]
      .filter(({ selected }) => !selected)
      .map(({ text, value }) => command(`${name}: ${text}`, () => select(control, value)));
  });
}

const canRun = (control: HTMLElement): boolean =>
  !control.hasAttribute('aria-haspopup') || control.offsetParent !== null;

function select(control: HTMLSelectElement, value: string): void {
  control.value = value;
  control.dispatchEvent(new Event('change', { bubbles: true }));
}

/** True when every word of the text occurs in the command. */
export function isFound({ group, label, hint = '' }: Command, text: string): boolean {
  const searched = `${group} ${label} ${hint}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => searched.includes(word));
}
