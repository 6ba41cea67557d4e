import type { Interview } from '#contracts/interviews.ts';
import { DestinationDialog } from '#web/features/interviews/dialogs/destination-dialog.tsx';
import { forgetDestinationDraft } from '#web/features/interviews/dialogs/use-destination-draft.ts';
import { useSetDestination } from '#web/features/interviews/interview-actions.ts';

export function InterviewDestinationDialog({ interview, onClose }: { interview: Interview; onClose: () => void }) {
  const save = useSetDestination({
    onDone: () => {
      forgetDestinationDraft(interview.id);
      onClose();
    },
  });
  return (
    <DestinationDialog
      draftKey={interview.id}
      subject={interview.title}
      destinationId={interview.destinationId}
      notes={interview.processingStatus.destination?.notes ?? null}
      pending={save.isPending}
      onSave={(body) => save.mutate({ params: { id: interview.id }, body })}
      onClose={onClose}
    />
  );
}
