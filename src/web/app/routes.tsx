import { Suspense, useEffect } from 'react';
import { useLocation, useSearch } from 'wouter';
import { keepScrollPlaces } from '#web/app/keep-scroll-places.ts';
import { NotFoundPage } from '#web/app/not-found-page.tsx';
import { isPage, pageAt, preloadPage } from '#web/app/pages.ts';
import { Protected } from '#web/app/protected.tsx';
import { Shell } from '#web/app/shell.tsx';
import { LoginPage } from '#web/features/session/login-page.tsx';
import { rememberDashboard } from '#web/lib/dashboard-place.ts';
import { Loading } from '#web/ui/loading.tsx';

// The page's file and the question who is signed in travel at the same time.
preloadPage(location.pathname);

export function Routes() {
  const [location] = useLocation();
  const path = location.length > 1 && location.endsWith('/') ? location.slice(0, -1) : location;
  const search = useSearch();
  useEffect(() => {
    if (path === '/') rememberDashboard(search);
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

/** Chosen once somebody is signed in: by then its file has probably arrived. */
function PageAt({ path }: { path: string }) {
  const Page = pageAt(path);
  return <Page />;
}

/** As tall as the screen, so that the footer is not in view and does not leave it when the page comes. */
const LoadingPage = () => (
  <div className="min-h-dvh">
    <Loading>Loading...</Loading>
  </div>
);
