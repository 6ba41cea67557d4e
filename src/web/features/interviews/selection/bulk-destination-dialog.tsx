import { useQuery } from '@tanstack/react-query';
import type { Interview } from '#contracts/interviews.ts';
import { DestinationDialog } from '#web/features/interviews/dialogs/destination/destination-dialog.tsx';
import { destinationDefaultsQuery } from '#web/features/interviews/interviews-query.ts';
import { useDraftKey } from '#web/features/session/session.ts';
import { formatCount } from '#web/lib/format.ts';

interface Props {
  count: number;
  /** The selected interviews that are on the page. */
  known: readonly Interview[];
  pending: boolean;
  onSave: (destination: { destinationId: string; notes: string }) => void;
  onClose: () => void;
}

/** One destination for all selected interviews. */
export function BulkDestinationDialog({ count, known, pending, onSave, onClose }: Props) {
  const [first] = known;
  const { data } = useQuery({ ...destinationDefaultsQuery(first?.funnelIdNum ?? 0), enabled: first !== undefined });
  // Interviews that are not on the page can be those of another client.
  const isOneClient = known.length === count && known.every(({ clientName }) => clientName === first?.clientName);
  return (
    <DestinationDialog
      draftKey={useDraftKey('destination of many')}
      subject={formatCount(count, 'interview')}
      destinationId={null}
      notes={null}
      suggestedEmployerId={isOneClient ? (data?.employerId ?? null) : null}
      {...(data && { linkTemplate: data.linkTemplate })}
      pending={pending}
      onSave={onSave}
      onClose={onClose}
    />
  );
}
