import { useCallback, useEffect, useState } from 'react';
import type { SharedPage } from '#contracts/shares.ts';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Centered, GreetingPage } from './greeting-page.tsx';
import { LinkError, loadPage, readGreeting } from './guest-link.ts';
import { SharedCandidates } from './shared-candidates.tsx';

/** Set while this tab has opened the link, so that a reload does not ask again. */
const OPENED = `opened ${location.pathname}`;

/** The page of a link: a greeting, then the candidates. */
export function GuestApp() {
  const [greeting, setGreeting] = useState(readGreeting);
  const [page, setPage] = useState<SharedPage | null>(null);
  const [isLoading, setLoading] = useState(() => sessionStorage.getItem(OPENED) !== null);
  const [reason, setReason] = useState<string | null>(null);
  const leave = useCallback((error: unknown) => {
    sessionStorage.removeItem(OPENED);
    setPage(null);
    if (error instanceof LinkError && error.status === 404) setGreeting(null);
    else setReason((error as Error).message);
  }, []);
  const load = useCallback(async () => {
    setPage(await loadPage());
    sessionStorage.setItem(OPENED, 'true');
  }, []);
  useEffect(() => {
    if (isLoading)
      load()
        .catch(leave)
        .finally(() => setLoading(false));
  }, [isLoading, load, leave]);

  if (!greeting) return <Gone />;
  if (isLoading) return <Loading>Loading the candidates</Loading>;
  if (page) return <SharedCandidates page={page} onLost={leave} />;
  return <GreetingPage greeting={greeting} reason={reason} onOpened={load} onGone={() => setGreeting(null)} />;
}

const Gone = () => (
  <Centered>
    <h1 className="text-xl font-semibold">This link no longer works</h1>
    <p className="mt-2 text-muted">It has expired, or its sender has replaced it. Ask them for a new link.</p>
  </Centered>
);
