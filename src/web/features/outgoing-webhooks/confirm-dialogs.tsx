import type { OutgoingWebhook } from '#contracts/outgoing-webhooks.ts';
import { toast, toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { AlertDialog } from '#web/ui/overlays/alert-dialog.tsx';
import { nameOf, useReloadWebhooks } from './webhook-actions.ts';

interface Props {
  webhook: OutgoingWebhook;
  onClose: () => void;
}

export function DeleteWebhookDialog({ webhook, onClose }: Props) {
  const reload = useReloadWebhooks();
  const deletion = useAction('DELETE /api/webhooks/:id', {
    onSuccess: () => {
      reload();
      toast({ title: 'Webhook deleted', description: 'Its URL gets no more events.' });
      onClose();
    },
    onError: toastFailure("Couldn't delete the webhook"),
  });
  return (
    <AlertDialog
      onClose={onClose}
      title={`Delete the webhook to ${nameOf(webhook)}?`}
      description="Pending events are never sent, and its deliveries are deleted. This can't be undone."
      confirm="Delete"
      destructive
      pending={deletion.isPending}
      onConfirm={() => deletion.mutate({ params: { id: webhook.id } })}
    />
  );
}

export function ReplaceSecretDialog({
  webhook,
  onClose,
  onReplaced,
}: Props & { onReplaced: (secret: string) => void }) {
  const replacement = useAction('POST /api/webhooks/:id/secret', {
    onSuccess: ({ secret }) => {
      onClose();
      onReplaced(secret);
    },
    onError: toastFailure("Couldn't replace the secret"),
  });
  return (
    <AlertDialog
      onClose={onClose}
      title={`Replace the secret of ${nameOf(webhook)}?`}
      description="You get a new secret. For 24 hours, events are signed with both, so that the receiver has time to switch."
      confirm="Replace secret"
      pending={replacement.isPending}
      onConfirm={() => replacement.mutate({ params: { id: webhook.id } })}
    />
  );
}
