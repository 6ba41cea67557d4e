import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Share2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { NewLink } from '#contracts/shares.ts';
import { dashboardAddress } from '#web/lib/dashboard-place.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { useTitle } from '#web/lib/use-title.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { useShareMessages } from './share-actions.ts';
import { ShareCard } from './share-card.tsx';
import { CreatedLinks } from './share-dialog.tsx';

/** Links for clients, first those that wait for an answer. */
export function LinksPage() {
  useTitle('Links');
  useShareMessages();
  const [created, setCreated] = useState<NewLink | null>(null);
  return (
    <>
      <div className="mb-6">
        <Link
          href={dashboardAddress()}
          className="touch-beyond relative mb-2 -ml-1 inline-flex items-center gap-1.5 rounded-md px-1 text-sm text-muted hover:text-ink"
        >
          <ArrowLeft aria-hidden className="size-3.5" />
          Back to Dashboard
        </Link>
        <h1 className="text-xl font-semibold tracking-tight sm:text-2xl">Links</h1>
        <p className="mt-0.5 text-muted">What you shared with clients, and what they answered</p>
      </div>
      <Shares onCreated={setCreated} />
      {created && <CreatedLinks links={[created]} onClose={() => setCreated(null)} />}
    </>
  );
}

function Shares({ onCreated }: { onCreated: (link: NewLink) => void }) {
  const shares = useQuery(endpointQuery('/api/shares', {}));
  if (shares.isPending) return <Loading>Loading links...</Loading>;
  if (shares.isError)
    return (
      <Alert
        tone="danger"
        title="Couldn't load the links"
        actions={
          <Button size="sm" pending={shares.isFetching} onClick={() => shares.refetch()}>
            Retry
          </Button>
        }
      >
        {shares.error.message}
      </Alert>
    );
  if (!shares.data) return null;
  if (shares.data.length === 0)
    return (
      <EmptyState icon={<Share2 />} title="No links yet">
        Choose Share in the menu of an interview, or select several.
      </EmptyState>
    );
  return (
    <ul className="space-y-3">
      {shares.data.map((share) => (
        <li key={share.id}>
          <ShareCard share={share} onCreated={onCreated} />
        </li>
      ))}
    </ul>
  );
}
