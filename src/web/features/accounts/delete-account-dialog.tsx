import type { Account } from '#contracts/accounts.ts';
import { toast, toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { useReload } from '#web/lib/use-reload.ts';
import { AlertDialog } from '#web/ui/overlays/alert-dialog.tsx';

export function DeleteAccountDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const reload = useReload('/api/accounts');
  const deletion = useAction('DELETE /api/accounts/:id', {
    onSuccess: () => {
      reload();
      toast({ title: 'Account deleted', description: `${account.username} can no longer sign in.` });
      onClose();
    },
    onError: toastFailure("Couldn't delete the account"),
  });
  return (
    <AlertDialog
      onClose={onClose}
      title={`Delete ${account.username}?`}
      description="They're signed out everywhere, and their saved views and watched marks are deleted. Their edits and log entries remain. This can't be undone."
      confirm="Delete"
      destructive
      pending={deletion.isPending}
      onConfirm={() => deletion.mutate({ params: { id: account.id } })}
    />
  );
}
