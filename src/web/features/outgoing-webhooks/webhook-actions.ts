import { useQueryClient } from '@tanstack/react-query';
import type { Routes } from '#contracts/api.ts';
import type { ResponseOf } from '#contracts/endpoint.ts';
import type { OutgoingWebhook } from '#contracts/outgoing-webhooks.ts';
import type { PublicEventName } from '#contracts/public-events.ts';
import type { ApiError } from '#web/lib/api-error.ts';
import { toast, toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';

function useReload() {
  const queryClient = useQueryClient();
  return () => {
    void queryClient.invalidateQueries({ queryKey: ['/api/webhooks'] });
    void queryClient.invalidateQueries({ queryKey: ['/api/webhooks/:id/deliveries'] });
  };
}

/** The host of its URL, or its id if the URL cannot be decrypted. */
export const nameOf = ({ id, url }: Pick<OutgoingWebhook, 'id' | 'url'>): string =>
  (url && URL.parse(url)?.host) ?? `webhook ${id}`;

interface FormOutcome<Response> {
  onDone: (response: Response) => void;
  /** Receives errors about a field of the form. */
  onFieldError: (field: string, message: string) => void;
}

const FORM_FIELDS: readonly string[] = ['url', 'events'];

function useFormOutcome<Response>({ onDone, onFieldError }: FormOutcome<Response>) {
  const reload = useReload();
  return {
    onSuccess: (response: Response) => {
      reload();
      onDone(response);
    },
    onError: (error: ApiError) => {
      if (error.field && FORM_FIELDS.includes(error.field)) onFieldError(error.field, error.message);
      else toastFailure("Couldn't save the webhook")(error);
    },
  };
}

export const useAddWebhook = (outcome: FormOutcome<ResponseOf<Routes['POST /api/webhooks']>>) =>
  useAction('POST /api/webhooks', useFormOutcome(outcome));

export const useSaveWebhook = (outcome: FormOutcome<OutgoingWebhook>) =>
  useAction('PUT /api/webhooks/:id', useFormOutcome(outcome));

/** Turns a webhook on or off. */
export function useToggleWebhook() {
  const reload = useReload();
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
  const reload = useReload();
  return useAction('POST /api/webhooks/:id/test', {
    onSuccess: () => {
      reload();
      onSent();
    },
    onError: toastFailure("Couldn't send a test"),
  });
}

export function useRetryDelivery() {
  const reload = useReload();
  return useAction('POST /api/webhooks/:id/deliveries/:deliveryId/retry', {
    onSuccess: reload,
    onError: toastFailure("Couldn't send it again"),
  });
}

export const useReplaceSecret = (onDone: (secret: string) => void) =>
  useAction('POST /api/webhooks/:id/secret', {
    onSuccess: ({ secret }) => onDone(secret),
    onError: toastFailure("Couldn't replace the secret"),
  });

export function useDeleteWebhook(onDone: () => void) {
  const reload = useReload();
  return useAction('DELETE /api/webhooks/:id', {
    onSuccess: () => {
      reload();
      toast({ title: 'Webhook deleted', description: 'Its URL gets no more events.' });
      onDone();
    },
    onError: toastFailure("Couldn't delete the webhook"),
  });
}
