import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { rememberDashboard } from '#web/lib/dashboard-place.ts';
import { mayCall } from '#web/lib/may.ts';
import { keepScrollPlaces } from './keep-scroll-places.ts';
import { linkTo } from './navigation.ts';
import { InvitationPage, LoginPage, NoAccessPage, NotFoundPage, pageAt, preloadPage } from './pages.tsx';
import { Protected } from './protected.tsx';
import { Shell } from './shell.tsx';

// Loads the page while the session is checked.
preloadPage(location.pathname);

const PUBLIC_NOT_FOUND = (
  <main className="px-4">
    <NotFoundPage />
  </main>
);

export function Routes() {
  const [location] = useLocation();
  const path = location.length > 1 && location.endsWith('/') ? location.slice(0, -1) : location;
  const search = useSearch();
  useEffect(() => {
    if (path === '/') rememberDashboard(new URLSearchParams(search));
  }, [path, search]);
  useEffect(keepScrollPlaces, []);
  if (path === '/login') return <LoginPage />;
  if (path.startsWith('/invitation/')) return <InvitationPage />;
  const Page = pageAt(path) ?? NotFoundPage;
  const needs = linkTo(path)?.needs;
  return (
    <Protected signedOut={Page === NotFoundPage ? PUBLIC_NOT_FOUND : undefined}>
      {(user) => <Shell user={user}>{!needs || mayCall(user, needs) ? <Page /> : <NoAccessPage />}</Shell>}
    </Protected>
  );
}
