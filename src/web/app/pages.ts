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

const loaded = new Map<string, ComponentType>();
const shown = new Map<string, ComponentType>();

export const isPage = (path: string) => Object.hasOwn(LOAD, path);

/** The page of a path for which `isPage` holds; always the same one, so that it keeps its state. */
export function pageAt(path: string): ComponentType {
  const page = shown.get(path) ?? loaded.get(path) ?? lazy(LOAD[path] as Load);
  shown.set(path, page);
  return page;
}

/** Starts to fetch a page that will probably be opened. A failure shows when it is. */
export function preloadPage(path: string): void {
  LOAD[path]?.().then(
    // Where it is here in time no fallback is shown, which React would keep for 300 ms.
    (page) => loaded.set(path, page.default),
    () => {},
  );
}
