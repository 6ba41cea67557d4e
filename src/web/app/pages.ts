import { type ComponentType, lazy } from 'react';
import { InterviewsPage } from '#web/features/interviews/interviews-page.tsx';

type Load = () => Promise<{ default: ComponentType }>;

/** The protected pages that are loaded when first needed: all except the dashboard. */
const LOAD: Record<string, Load> = {
  '/funnels': () => import('#web/features/funnels/funnels-page.tsx').then((m) => ({ default: m.FunnelsPage })),
  '/system-logs': () => import('#web/features/logs/logs-page.tsx').then((m) => ({ default: m.LogsPage })),
  '/test-destination': () =>
    import('#web/features/test-destination/test-destination-page.tsx').then((m) => ({
      default: m.TestDestinationPage,
    })),
};

const loaded = new Map<string, ComponentType>([['/', InterviewsPage]]);
const shown = new Map<string, ComponentType>();

export const isPage = (path: string) => loaded.has(path) || Object.hasOwn(LOAD, path);

/**
 * The page of a path that satisfies `isPage`. Always the same component, so that it keeps its
 * state.
 */
export function pageAt(path: string): ComponentType {
  const page = shown.get(path) ?? loaded.get(path) ?? lazy(LOAD[path] as Load);
  shown.set(path, page);
  return page;
}

/** Loads a page that will probably be opened. A failure appears when it is opened. */
export function preloadPage(path: string): void {
  LOAD[path]?.().then(
    // A page that is already loaded needs no fallback, which React would show for at least 300 ms.
    (page) => loaded.set(path, page.default),
    () => {},
  );
}
