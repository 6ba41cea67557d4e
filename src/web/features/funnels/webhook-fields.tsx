import { Copy } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import type { Funnel } from '#contracts/funnels.ts';
import type { FunnelWebhook } from '#contracts/webhooks.ts';
import { copyWithToast } from '#web/lib/export-text.ts';
import { toast } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { SecretInput } from '#web/ui/forms/secret-input.tsx';
import { useReloadFunnels } from './activate-funnel.ts';

const toastError = ({ message }: { message: string }) =>
  toast({ title: 'Error', description: message, variant: 'destructive' });

/**
 * The URL at which the interview service announces changes. It works without saving the funnel.
 */
export function WebhookFields({ funnel, source }: { funnel: Funnel | null; source: string }) {
  const [webhook, setWebhook] = useState<FunnelWebhook | null>(null);
  const reload = useReloadFunnels();
  const onSuccess = (response: FunnelWebhook) => {
    setWebhook(response);
    reload();
  };
  const open = useAction('POST /api/funnels/:id/webhook', { onSuccess, onError: toastError });
  const renew = useAction('POST /api/funnels/:id/webhook/renew', { onSuccess, onError: toastError });
  if (funnel?.source !== source) {
    return <p className="text-sm text-muted">{funnel ? 'Save' : 'Create'} the funnel to get its webhook URL.</p>;
  }
  const params = { id: funnel.id };
  if (!webhook) {
    return (
      <div className="flex flex-wrap items-center gap-3">
        <Button size="sm" pending={open.isPending} onClick={() => open.mutate({ params })}>
          Show webhook address
        </Button>
        <p className="text-sm text-muted">Get new interviews instantly, without waiting for a refresh.</p>
      </div>
    );
  }
  return (
    <>
      <WebhookUrlField
        url={`${location.origin}${webhook.path}`}
        pending={renew.isPending}
        onRenew={() => renew.mutate({ params })}
      />
      {webhook.isSigned && (
        <SigningSecretField id={funnel.id} isStored={webhook.hasSigningSecret} onStored={onSuccess} />
      )}
    </>
  );
}

function WebhookUrlField({ url, pending, onRenew }: { url: string; pending: boolean; onRenew: () => void }) {
  return (
    <Field
      label="Webhook address"
      hint="Enter it in your interview service. Keep it secret, and replace it if someone else learns it."
    >
      {(control) => (
        <div className="flex flex-wrap gap-2">
          <Input readOnly value={url} className="min-w-0 grow basis-60 font-mono text-xs" {...control} />
          <Button size="sm" className="h-9" onClick={() => copyWithToast(url, 'Address copied')}>
            <Copy aria-hidden />
            Copy
          </Button>
          <Button size="sm" className="h-9" pending={pending} onClick={onRenew}>
            Replace
          </Button>
        </div>
      )}
    </Field>
  );
}

interface SigningSecretProps {
  id: number;
  isStored: boolean;
  onStored: (response: FunnelWebhook) => void;
}

function SigningSecretField({ id, isStored, onStored }: SigningSecretProps) {
  const [text, setText] = useState('');
  const store = useAction('PUT /api/funnels/:id/webhook/signing-secret', {
    onError: toastError,
    onSuccess: (response) => {
      setText('');
      toast({ title: 'Signing secret stored' });
      onStored(response);
    },
  });
  const submit = () => store.mutate({ params: { id }, body: { signingSecret: text } });
  const storeOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // Otherwise Enter would save the funnel.
    event.preventDefault();
    if (text.trim() !== '') submit();
  };
  return (
    <Field
      label="Signing secret"
      hint={
        isStored
          ? 'Stored encrypted. Enter another one to replace it.'
          : 'Your interview service shows it with the webhook. Without it, events are rejected.'
      }
    >
      {(control) => (
        <div className="flex flex-wrap gap-2">
          <div className="min-w-0 grow basis-60">
            <SecretInput
              value={text}
              onChange={({ target }) => setText(target.value)}
              onKeyDown={storeOnEnter}
              {...control}
            />
          </div>
          <Button size="sm" className="h-9" pending={store.isPending} disabled={text.trim() === ''} onClick={submit}>
            Store
          </Button>
        </div>
      )}
    </Field>
  );
}
