import { useQuery } from '@tanstack/react-query';
import type { Interview } from '#contracts/interviews.ts';
import { forgetDraft } from '#web/features/drafts/use-draft.ts';
import { useSetDestination } from '#web/features/interviews/interview-actions.ts';
import { useDraftKey } from '#web/features/session/session.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { DestinationDialog } from './destination-dialog.tsx';

export function InterviewDestinationDialog({ interview, onClose }: { interview: Interview; onClose: () => void }) {
  const draftKey = useDraftKey(`destination ${interview.id}`);
  const params = { id: interview.funnelIdNum };
  // The dialog works without them: it does not wait, and ignores a failure.
  const defaults = useQuery({
    ...endpointQuery('/api/funnels/:id/destination-defaults', { params }),
    staleTime: 0,
    retry: false,
  });
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
      suggestedEmployerId={defaults.data?.employerId ?? null}
      {...(defaults.data && { linkTemplate: defaults.data.linkTemplate })}
      pending={save.isPending}
      onSave={(body) => save.mutate({ params: { id: interview.id }, body })}
      onClose={onClose}
    />
  );
}
