import { DestinationDialog } from '#web/features/interviews/dialogs/destination/destination-dialog.tsx';
import { useDraftKey } from '#web/features/session/session.ts';
import { formatCount } from '#web/lib/format.ts';

interface Props {
  count: number;
  pending: boolean;
  onSave: (destination: { destinationId: string; notes: string }) => void;
  onClose: () => void;
}

/** One destination for all selected interviews. */
export function BulkDestinationDialog({ count, pending, onSave, onClose }: Props) {
  return (
    <DestinationDialog
      draftKey={useDraftKey('destination of many')}
      subject={formatCount(count, 'interview')}
      destinationId={null}
      notes={null}
      pending={pending}
      onSave={onSave}
      onClose={onClose}
    />
  );
}
