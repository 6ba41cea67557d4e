import { lazy, Suspense } from 'react';
import { useLocation } from 'wouter';
import { NotFoundPage } from '#web/app/not-found-page.tsx';
import { pageAt, preloadPage } from '#web/app/pages.ts';
import { Protected } from '#web/app/protected.tsx';
import { Shell } from '#web/app/shell.tsx';
import { Loading } from '#web/ui/loading.tsx';

const LoginPage = lazy(() => import('#web/features/session/login-page.tsx').then((m) => ({ default: m.LoginPage })));

// The page's file and the question who is signed in travel at the same time.
preloadPage(location.pathname);

export function Routes() {
  const [location] = useLocation();
  const path = location.replace(/(.)\/+$/, '$1');
  if (path === '/login') {
    return (
      <Suspense fallback={<Loading>Loading...</Loading>}>
        <LoginPage />
      </Suspense>
    );
  }
  const Page = pageAt(path);
  if (!Page) return <NotFoundPage />;
  return (
    <Protected>
      {(user) => (
        <Shell user={user}>
          <Suspense fallback={<Loading>Loading...</Loading>}>
            <Page />
          </Suspense>
        </Shell>
      )}
    </Protected>
  );
}
