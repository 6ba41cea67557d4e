import type { Funnel } from '#contracts/funnels.ts';
import { useDeleteFunnel } from '#web/features/funnels/funnel-actions.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';

export function DeleteFunnelDialog({ funnel, onClose }: { funnel: Funnel; onClose: () => void }) {
  const remove = useDeleteFunnel({ onDone: onClose });
  return (
    <AlertDialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Are you sure?"
      description={`This will permanently delete the funnel "${funnel.name}" and all its associated data. This action cannot be undone.`}
      confirm={remove.isPending ? 'Deleting...' : 'Delete'}
      destructive
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ params: { id: funnel.id } })}
    />
  );
}
