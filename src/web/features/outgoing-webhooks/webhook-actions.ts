import type { OutgoingWebhook } from '#contracts/outgoing-webhooks.ts';
import type { PublicEventName } from '#contracts/public-events.ts';
import { toast, toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { useReload } from '#web/lib/use-reload.ts';

export const useReloadWebhooks = () => useReload('/api/webhooks', '/api/webhooks/:id/deliveries');

/** The host of its URL, or its id if the URL cannot be decrypted. */
export const nameOf = ({ id, url }: Pick<OutgoingWebhook, 'id' | 'url'>): string =>
  (url && URL.parse(url)?.host) ?? `webhook ${id}`;

/** Turns a webhook on or off. */
export function useToggleWebhook() {
  const reload = useReloadWebhooks();
  const { mutate } = useAction('PUT /api/webhooks/:id', {
    onSuccess: (webhook) => {
      reload();
      toast(
        webhook.isActive
          ? { title: 'Webhook turned on', description: `${nameOf(webhook)} gets events again, including pending ones.` }
          : { title: 'Webhook turned off', description: `${nameOf(webhook)} gets no events.` },
      );
    },
    onError: toastFailure("Couldn't change the webhook"),
  });
  return ({ id, url, events, format, includePersonalData, isActive }: OutgoingWebhook) =>
    mutate({
      params: { id },
      body: { url: url ?? '', events: events as PublicEventName[], format, includePersonalData, isActive: !isActive },
    });
}

export function useSendTest(onSent: () => void) {
  const reload = useReloadWebhooks();
  return useAction('POST /api/webhooks/:id/test', {
    onSuccess: () => {
      reload();
      onSent();
    },
    onError: toastFailure("Couldn't send a test"),
  });
}
