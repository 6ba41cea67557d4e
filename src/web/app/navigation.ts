import { FileVideo, Filter, type LucideIcon, ScrollText, Users } from 'lucide-react';
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

/** The links of the System menu. */
export const SYSTEM_LINKS: readonly NavigationLink[] = [
  { path: '/system-logs', label: 'System Logs', Icon: ScrollText },
];

/** A link of the account menu, for administrators. */
export const ACCOUNTS_LINK: NavigationLink = { path: '/accounts', label: 'Accounts', Icon: Users };

/**
 * The target of a link. From other pages the dashboard opens as it was left; on the dashboard its
 * link resets it.
 */
export const addressOf = (path: string, location: string) =>
  path === '/' && location !== '/' ? dashboardAddress() : path;
