import { type ComponentType, lazy } from 'react';

type Load = () => Promise<{ default: ComponentType }>;

/** The protected pages, loaded when first needed. */
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
