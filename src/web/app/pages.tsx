import type { ComponentType } from 'react';
import { InterviewsPage } from '#web/features/interviews/interviews-page.tsx';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';

const LOADING = <Loading isPage>Loading...</Loading>;

const lazyPage = (load: () => Promise<ComponentType>) => lazyPart(load, { fallback: LOADING });

/** The protected pages by path. All except the dashboard are loaded when first needed. */
const PAGES: Record<string, ComponentType & { preload?: () => void }> = {
  '/': InterviewsPage,
  '/funnels': lazyPage(() => import('#web/features/funnels/funnels-page.tsx').then((m) => m.FunnelsPage)),
  '/accounts': lazyPage(() => import('#web/features/accounts/accounts-page.tsx').then((m) => m.AccountsPage)),
  '/links': lazyPage(() => import('#web/features/shares/links-page.tsx').then((m) => m.LinksPage)),
  '/compare': lazyPage(() => import('#web/features/interviews/exports/compare-page.tsx').then((m) => m.ComparePage)),
  '/print': lazyPage(() => import('#web/features/interviews/exports/print-page.tsx').then((m) => m.PrintPage)),
  '/system-logs': lazyPage(() => import('#web/features/logs/logs-page.tsx').then((m) => m.LogsPage)),
  '/webhooks': lazyPage(() => import('#web/features/outgoing-webhooks/webhooks-page.tsx').then((m) => m.WebhooksPage)),
  '/test-destination': lazyPage(() =>
    import('#web/features/test-destination/test-destination-page.tsx').then((m) => m.TestDestinationPage),
  ),
};

/** Opened from a link, with or without a session. */
export const InvitationPage = lazyPage(() =>
  import('#web/features/session/invitation/invitation-page.tsx').then((m) => m.InvitationPage),
);

/** Loaded only for visitors who are not signed in. */
export const LoginPage = lazyPage(() => import('#web/features/session/login/login-page.tsx').then((m) => m.LoginPage));

/** The page at a URL that does not exist. */
export const NotFoundPage = lazyPage(() => import('./not-found-page.tsx').then((m) => m.NotFoundPage));

/** Shown instead of a page that the user may not open. */
export const NoAccessPage = lazyPage(() => import('./not-found-page.tsx').then((m) => m.NoAccessPage));

export const pageAt = (path: string) => (Object.hasOwn(PAGES, path) ? PAGES[path] : undefined);

/** Loads a page that will probably be opened. */
export const preloadPage = (path: string): void => pageAt(path)?.preload?.();
