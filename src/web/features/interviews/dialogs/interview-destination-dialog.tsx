import type { Interview } from '#contracts/interviews.ts';
import { DestinationDialog } from '#web/features/interviews/dialogs/destination-dialog.tsx';
import { useSetDestination } from '#web/features/interviews/interview-actions.ts';

export function InterviewDestinationDialog({ interview, onClose }: { interview: Interview; onClose: () => void }) {
  const save = useSetDestination({ onDone: onClose });
  return (
    <DestinationDialog
      subject={interview.title}
      destinationId={interview.destinationId}
      notes={interview.processingStatus.destination?.notes ?? null}
      pending={save.isPending}
      onSave={(body) => save.mutate({ params: { id: interview.id }, body })}
      onClose={onClose}
    />
  );
}
