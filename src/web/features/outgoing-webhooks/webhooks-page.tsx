import { useQuery } from '@tanstack/react-query';
import { Plus, Webhook } from 'lucide-react';
import { useState } from 'react';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { afterGoingBack, useDialog, useLastKnown } from '#web/lib/use-dialog.ts';
import { useTitle } from '#web/lib/use-title.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { LoadError } from '#web/ui/feedback/load-error.tsx';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { PageHead } from '#web/ui/layout/page-head.tsx';
import { ShownOnceDialog } from '#web/ui/overlays/shown-once-dialog.tsx';
import { DeleteWebhookDialog, ReplaceSecretDialog } from './confirm-dialogs.tsx';
import { DeliveriesDialog } from './deliveries-dialog.tsx';
import { nameOf } from './webhook-actions.ts';
import { WebhookCard } from './webhook-card.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';

const webhooksQuery = { ...endpointQuery('/api/webhooks'), staleTime: 0 };
const DIALOGS = ['add-webhook', 'edit-webhook', 'deliveries', 'replace-secret', 'delete-webhook'] as const;

interface Secret {
  /** The webhook's name. */
  name: string;
  value: string;
}

/** For administrators. */
export function WebhooksPage() {
  useTitle('Webhooks');
  const { dialog, id, open, close } = useDialog(DIALOGS);
  const webhooks = useQuery(webhooksQuery);
  const webhook = useLastKnown(webhooks.data, id);
  const [secret, setSecret] = useState<Secret | null>(null);
  // The secret dialog handles Back, and would mistake the closing of this dialog for it.
  const show = (shown: Secret) => afterGoingBack(() => setSecret(shown));

  return (
    <>
      <PageHead title="Webhooks" description="Send events to other programs">
        <Button variant="primary" data-command="Add webhook" onClick={() => open('add-webhook')}>
          <Plus aria-hidden />
          Add webhook
        </Button>
      </PageHead>
      <Webhooks onOpen={(name, webhookId) => open(name, webhookId)} />
      {dialog === 'add-webhook' && (
        <WebhookDialog
          webhook={null}
          onClose={close}
          onAdded={(added) => show({ name: nameOf(added), value: added.secret })}
        />
      )}
      {dialog === 'edit-webhook' && webhook && <WebhookDialog webhook={webhook} onClose={close} />}
      {dialog === 'deliveries' && webhook && <DeliveriesDialog webhook={webhook} onClose={close} />}
      {dialog === 'replace-secret' && webhook && (
        <ReplaceSecretDialog
          webhook={webhook}
          onClose={close}
          onReplaced={(replaced) => show({ name: nameOf(webhook), value: replaced })}
        />
      )}
      {dialog === 'delete-webhook' && webhook && <DeleteWebhookDialog webhook={webhook} onClose={close} />}
      {secret && !dialog && (
        <ShownOnceDialog
          label="Secret"
          {...secret}
          description="The receiver uses it to verify events."
          hint="For any Standard Webhooks library. Slack and Teams don't need it."
          onClose={() => setSecret(null)}
        />
      )}
    </>
  );
}

function Webhooks({ onOpen }: { onOpen: (dialog: (typeof DIALOGS)[number], id: number) => void }) {
  const webhooks = useQuery(webhooksQuery);
  if (webhooks.isPending) return <Loading isPage>Loading webhooks...</Loading>;
  if (webhooks.isError) return <LoadError title="Couldn't load the webhooks" query={webhooks} />;
  if (!webhooks.data) return null;
  if (webhooks.data.length === 0)
    return (
      <EmptyState icon={<Webhook />} title="No webhooks yet">
        Add one to send events to another program, or to Slack or Teams.
      </EmptyState>
    );
  return (
    <ul className="space-y-3">
      {webhooks.data.map((webhook) => (
        <li key={webhook.id}>
          <WebhookCard webhook={webhook} onOpen={(dialog) => onOpen(dialog, webhook.id)} />
        </li>
      ))}
    </ul>
  );
}
