import { FileVideo, Filter, type LucideIcon, ScrollText } from 'lucide-react';
import { dashboardAddress } from '#web/lib/dashboard-place.ts';

export interface NavigationLink {
  path: string;
  label: string;
  Icon: LucideIcon;
}

export const MAIN_LINKS: readonly NavigationLink[] = [
  { path: '/', label: 'Interviews', Icon: FileVideo },
  { path: '/funnels', label: 'Funnels', Icon: Filter },
];

/** What stands under System. */
export const SYSTEM_LINKS: readonly NavigationLink[] = [
  { path: '/system-logs', label: 'System Logs', Icon: ScrollText },
];

/** Where a link leads from `location`: to the dashboard as it was left, and from there to all of it. */
export const addressOf = (path: string, location: string) =>
  path === '/' && location !== '/' ? dashboardAddress() : path;
