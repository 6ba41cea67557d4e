import { type ComponentType, lazy } from 'react';

type Load = () => Promise<{ default: ComponentType }>;

/** The protected pages, each in a file of its own that loads when it is first needed. */
const LOAD: Record<string, Load> = {
  '/': () => import('#web/features/interviews/interviews-page.tsx').then((m) => ({ default: m.InterviewsPage })),
  '/funnels': () => import('#web/features/funnels/funnels-page.tsx').then((m) => ({ default: m.FunnelsPage })),
  '/system-logs': () => import('#web/features/logs/logs-page.tsx').then((m) => ({ default: m.LogsPage })),
  '/test-destination': () =>
    import('#web/features/test-destination/test-destination-page.tsx').then((m) => ({
      default: m.TestDestinationPage,
    })),
};

const PAGES = new Map(Object.entries(LOAD).map(([path, load]) => [path, lazy(load)]));

/** The page of a path, or undefined. */
export const pageAt = (path: string) => PAGES.get(path);

/** Starts to fetch a page that will probably be opened. A failure shows when it is. */
export function preloadPage(path: string): void {
  LOAD[path]?.().catch(() => {});
}
