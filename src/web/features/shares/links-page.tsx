import { useQuery } from '@tanstack/react-query';
import { Share2 } from 'lucide-react';
import { useState } from 'react';
import type { NewLink } from '#contracts/shares.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { useTitle } from '#web/lib/use-title.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { LoadError } from '#web/ui/feedback/load-error.tsx';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { PageHead } from '#web/ui/layout/page-head.tsx';
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
      <PageHead title="Links" description="Links you shared with clients, and their responses" />
      <Shares onCreated={setCreated} />
      {created && <CreatedLinks links={[created]} onClose={() => setCreated(null)} />}
    </>
  );
}

function Shares({ onCreated }: { onCreated: (link: NewLink) => void }) {
  const shares = useQuery(endpointQuery('/api/shares', {}));
  if (shares.isPending) return <Loading isPage>Loading links...</Loading>;
  if (shares.isError) return <LoadError title="Couldn't load the links" query={shares} />;
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
