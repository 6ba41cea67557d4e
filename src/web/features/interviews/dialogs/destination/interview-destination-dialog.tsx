import { useQuery } from '@tanstack/react-query';
import type { Interview } from '#contracts/interviews.ts';
import { useAtsName } from '#web/features/ats-pushes/use-ats-name.ts';
import { forgetDraft } from '#web/features/drafts/use-draft.ts';
import { openOnDashboard } from '#web/features/interviews/dialogs/open-dialog.ts';
import { destinationDefaultsQuery } from '#web/features/interviews/interviews-query.ts';
import { useSetDestination } from '#web/features/interviews/save-actions.ts';
import { useDraftKey } from '#web/features/session/session.ts';
import { DestinationDialog } from './destination-dialog.tsx';
import { FindJob } from './find-job.tsx';

export function InterviewDestinationDialog({ interview, onClose }: { interview: Interview; onClose: () => void }) {
  const draftKey = useDraftKey(`destination ${interview.id}`);
  const defaults = useQuery(destinationDefaultsQuery(interview.funnelIdNum));
  const atsName = useAtsName();
  const send = () => openOnDashboard('ats', interview.id);
  const save = useSetDestination({
    next: atsName === null ? undefined : { label: `Send to ${atsName}`, onClick: send },
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
      finder={(onFind) => <FindJob onFind={onFind} />}
      pending={save.isPending}
      onSave={(body) => save.mutate({ params: { id: interview.id }, body })}
      onClose={onClose}
    />
  );
}
