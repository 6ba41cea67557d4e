import type { Interview } from '#contracts/interviews.ts';
import { forgetDraft } from '#web/features/drafts/use-draft.ts';
import { useSetDestination } from '#web/features/interviews/interview-actions.ts';
import { useDraftKey } from '#web/features/session/session.ts';
import { DestinationDialog } from './destination-dialog.tsx';

export function InterviewDestinationDialog({ interview, onClose }: { interview: Interview; onClose: () => void }) {
  const draftKey = useDraftKey(`destination ${interview.id}`);
  const save = useSetDestination({
    onDone: () => {
      forgetDraft(draftKey);
      onClose();
    },
  });
  return (
    <DestinationDialog
      draftKey={draftKey}
      subject={interview.title}
      destinationId={interview.destinationId}
      notes={interview.processingStatus.destination?.notes ?? null}
      pending={save.isPending}
      onSave={(body) => save.mutate({ params: { id: interview.id }, body })}
      onClose={onClose}
    />
  );
}
