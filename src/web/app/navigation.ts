import { FileVideo, Filter, type LucideIcon, ScrollText, Share2, Users, Webhook } from 'lucide-react';
import { dashboardUrl } from '#web/lib/dashboard-place.ts';
import { type RestrictedRoute, useMay } from '#web/lib/may.ts';

export interface NavigationLink {
  path: string;
  label: string;
  Icon: LucideIcon;
  /** Only for users who may make this call. */
  needs?: RestrictedRoute;
}

export const MAIN_LINKS: readonly NavigationLink[] = [
  { path: '/', label: 'Interviews', Icon: FileVideo },
  { path: '/funnels', label: 'Funnels', Icon: Filter },
];

/** The links of the System menu. */
export const SYSTEM_LINKS: readonly NavigationLink[] = [
  { path: '/system-logs', label: 'System Logs', Icon: ScrollText, needs: 'GET /api/logs' },
];

/** The links of the account menu. */
export const ACCOUNT_LINKS = {
  shares: { path: '/links', label: 'Links', Icon: Share2, needs: 'GET /api/shares' },
  accounts: { path: '/accounts', label: 'Accounts', Icon: Users, needs: 'GET /api/accounts' },
  webhooks: { path: '/webhooks', label: 'Webhooks', Icon: Webhook, needs: 'GET /api/webhooks' },
} as const satisfies Record<string, NavigationLink>;

/** All pages that links open. */
export const LINKS: readonly NavigationLink[] = [...MAIN_LINKS, ...SYSTEM_LINKS, ...Object.values(ACCOUNT_LINKS)];

export const linkTo = (path: string): NavigationLink | undefined => LINKS.find((link) => link.path === path);

/** The links that the user may open. */
export function useVisibleLinks(links: readonly NavigationLink[]): readonly NavigationLink[] {
  const may = useMay();
  return links.filter(({ needs }) => !needs || may(needs));
}

/**
 * The target of a link. From other pages the dashboard opens as it was left; on the dashboard its
 * link resets it.
 */
export const hrefOf = (path: string, location: string) => (path === '/' && location !== '/' ? dashboardUrl() : path);
