import { Suspense, useEffect } from 'react';
import { useLocation, useSearch } from 'wouter';
import { LoginPage } from '#web/features/session/login/login-page.tsx';
import { rememberDashboard } from '#web/lib/dashboard-place.ts';
import { withoutDialog } from '#web/lib/use-dialog.ts';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { keepScrollPlaces } from './keep-scroll-places.ts';
import { NotFoundPage } from './not-found-page.tsx';
import { isPage, pageAt, preloadPage } from './pages.ts';
import { Protected } from './protected.tsx';
import { Shell } from './shell.tsx';

// Loads the page while the session is checked.
preloadPage(location.pathname);

export function Routes() {
  const [location] = useLocation();
  const path = location.length > 1 && location.endsWith('/') ? location.slice(0, -1) : location;
  const search = useSearch();
  useEffect(() => {
    if (path === '/') rememberDashboard(withoutDialog(new URLSearchParams(search)).toString());
  }, [path, search]);
  useEffect(keepScrollPlaces, []);
  if (path === '/login') return <LoginPage />;
  if (!isPage(path)) return <NotFoundPage />;
  return (
    <Protected>
      {(user) => (
        <Shell user={user}>
          <Suspense fallback={<LoadingPage />}>
            <PageAt path={path} />
          </Suspense>
        </Shell>
      )}
    </Protected>
  );
}

/** Rendered after sign-in, when the file of the page has probably loaded. */
function PageAt({ path }: { path: string }) {
  const Page = pageAt(path);
  return <Page />;
}

/** As tall as the screen, so that the footer does not jump when the page appears. */
const LoadingPage = () => (
  <div className="min-h-dvh">
    <Loading>Loading...</Loading>
  </div>
);
