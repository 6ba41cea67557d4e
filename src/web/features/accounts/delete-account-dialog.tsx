import type { Account } from '#contracts/accounts.ts';
import { AlertDialog } from '#web/ui/overlays/alert-dialog.tsx';
import { useDeleteAccount } from './account-actions.ts';

export function DeleteAccountDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const deletion = useDeleteAccount(account, onClose);
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
