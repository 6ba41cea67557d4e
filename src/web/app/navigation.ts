import { FileVideo, Filter, type LucideIcon, ScrollText } from 'lucide-react';

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
